/** The text that is rated: of a Skill whose head could be read. */
export interface RatedSkill {
  readonly description: string;
  /** Below the head. */
  readonly body: string;
}

/** One point: given or not, and for what. */
export interface QualityPoint {
  readonly aspect: 'completeness' | 'clarity' | 'specificity' | 'examples';
  readonly says: string;
  readonly given: boolean;
}

type Sign = readonly [aspect: QualityPoint['aspect'], says: string, isThere: (skill: RatedSkill) => boolean];

/** Twelve signs, three for each aspect, each worth a point. They look at form: no sign can tell whether a Skill is right. */
const SIGNS: readonly Sign[] = [
  [
    'completeness',
    'the description has at least 60 characters',
    ({ description }) => description.length >= 60,
  ],
  [
    'completeness',
    'the description says when to use the Skill',
    ({ description }) =>
      /\b(when(ever)?|if|before|after|while|use (this|it|for|to)|used? (for|to))\b/i.test(description),
  ],
  ['completeness', 'the text has at least 100 words', ({ body }) => words(body).length >= 100],
  ['clarity', 'the text has at least two headings', ({ body }) => count(prose(body), /^#{1,6} \S/gm) >= 2],
  [
    'clarity',
    'steps or points stand in a list',
    ({ body }) => count(prose(body), /^\s*([-*+]|\d+[.)]) \S/gm) >= 3,
  ],
  ['clarity', 'sentences have at most 30 words on average', ({ body }) => sentenceLength(body) <= 30],
  [
    'specificity',
    'at least three commands, names or paths stand in code',
    ({ body }) => count(prose(body), /`[^`\n]+`/g) + blocks(body).length >= 3,
  ],
  [
    'specificity',
    'it gives figures, units or limits',
    ({ body }) => count(prose(body).replace(/^\s*\d+[.)] /gm, ''), /\d/g) >= 3,
  ],
  [
    'specificity',
    'it says what not to do, or when not',
    ({ body }) =>
      /\b(do not|don't|never|avoid|not|unless|except|instead of|must not|without)\b/i.test(prose(body)),
  ],
  ['examples', 'it has a block of code or of data', ({ body }) => blocks(body).length >= 1],
  ['examples', 'it has at least two such blocks', ({ body }) => blocks(body).length >= 2],
  [
    'examples',
    'it shows what comes out: an example, a result, a table',
    ({ body }) =>
      /\b(examples?|e\.g\.|for instance|outputs?|results?|returns?|prints?|expected|gives)\b/i.test(body) ||
      /^\|.*\|\s*$/m.test(body),
  ],
];

/** Most points that {@link rateSkill} can give. */
export const MOST_POINTS = SIGNS.length;

/** A heuristic: twelve signs of a Skill that is well written. The same text always gets the same points. */
export function rateSkill(skill: RatedSkill): readonly QualityPoint[] {
  return SIGNS.map(([aspect, says, isThere]) => ({ aspect, says, given: isThere(skill) }));
}

const BLOCK = /^(`{3,}|~{3,})[^\n]*\n[\s\S]*?^\1/gm;

function blocks(body: string): readonly string[] {
  return body.match(BLOCK) ?? [];
}

function prose(body: string): string {
  return body.replace(BLOCK, '');
}

function words(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}]+/gu) ?? [];
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

/** Words for each sentence; lines of lists and headings are sentences of their own. Without words it is endless. */
function sentenceLength(body: string): number {
  const sentences = prose(body)
    .split(/[.!?:;]\s|\n\s*\n|\n(?=\s*([-*+|#]|\d+[.)]))/)
    .filter((one) => one !== undefined && words(one).length > 0);
  return sentences.length === 0
    ? Number.POSITIVE_INFINITY
    : words(sentences.join(' ')).length / sentences.length;
}
