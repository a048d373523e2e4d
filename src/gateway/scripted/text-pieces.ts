const PIECE_LENGTH = 24;

/** A text cut as a stream brings it: into so many pieces of about equal length, else into a few words each. Never within a character. */
export function textPieces(text: string, count?: number): readonly string[] {
  const wanted = Math.min(count ?? Math.ceil(text.length / PIECE_LENGTH), text.length);
  const pieces: string[] = [];
  let start = 0;
  for (let piece = 1; piece <= wanted; piece++) {
    const end = afterCharacter(text, Math.floor((piece * text.length) / wanted));
    if (end > start) pieces.push(text.slice(start, end));
    start = end;
  }
  return pieces;
}

/** The place itself, or the next one where it is between the halves of a character. */
function afterCharacter(text: string, at: number): number {
  const [before, after] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  const isBetween = before >= 0xd800 && before < 0xdc00 && after >= 0xdc00 && after < 0xe000;
  return isBetween ? at + 1 : at;
}
