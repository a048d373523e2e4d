/** Words that say nothing of what a text is about: grammar, and what every instruction and every description says. */
const STOP_WORDS = new Set(
  `a about above after again all also always an and any are as at be been before below between both but by can could did do does
  done down during each either else etc every few file files folder for from get given had has have having help her here him his
  how if in input instruction instructions into is it its itself just keep let like line make many may might more most must name
  need never no not now of off on once one only onto or other our out output over own path per please put read result results
  same save set shall she should show skill skills so some step steps such take task than that the their them then there these
  they this those through to too two under until up upon us use used user uses using very want was way we well were what when
  where whether which while who whose why will with within without work would write written you your`.split(
    /\s+/,
  ),
);

/** A word's stem: plural, -ing and -ed taken off, roughly. Equal stems are taken as equal words. */
export function stem(word: string): string {
  if (word.length <= 4) return word.replace(/(?<=..[^su])s$/, '');
  const bare = word
    .replace(/ies$/, 'y')
    .replace(/(?<=(?:s|x|z|ch|sh))es$/, '')
    .replace(/(?<![su])s$/, '')
    .replace(/(?<=[a-z]{3})(?:ing|ed)$/, '');
  return bare.replace(/([bdgmnprt])\1$/, '$1').replace(/(?<=[a-z]{3})e$/, '');
}

/** The distinct stems of a text's telling words, in order of first use. */
export function tellingWords(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(words.filter((word) => word.length > 2 && !STOP_WORDS.has(word)).map(stem));
}
