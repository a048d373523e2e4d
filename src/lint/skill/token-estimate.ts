/** Bytes of UTF-8 that make about one token in Latin text and in code; ideographs, kana and Hangul make about one each. */
const BYTES_PER_TOKEN = 4;
const WIDE = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/g;
const BYTES_OF_WIDE = 3;

/** About how many tokens a text takes. An estimate: tokenizers differ from it, and from one another, by a fifth and more. */
export function estimateTokens(text: string): number {
  const wide = text.match(WIDE)?.length ?? 0;
  return wide + Math.ceil((Buffer.byteLength(text) - wide * BYTES_OF_WIDE) / BYTES_PER_TOKEN);
}
