import type { ContentFile } from '../../model/task-content.ts';
import { pythonSource } from './python-functions.ts';
import type { PythonToken } from './python-tokens.ts';

/** What tests want to find, and by which names they look for it. */
export interface ExpectedValues {
  /** Values, in lower case and numbers as they are counted, with the words that stand beside them in the tests: row keys, dates, column names. */
  readonly keys: ReadonlyMap<string, ReadonlySet<string>>;
}

const ANSWER_NAME = /expect|truth|golden|answer|correct|reference/i;
const LONGEST = 40;
/** Too many would be data, not answers; and each line of a Skill is compared with them. */
const MOST_VALUES = 2000;

/** The values that Python tests compare with, or keep under a name for answers; short numbers too. */
export function expectedValues(tests: readonly ContentFile[]): ExpectedValues {
  const keys = new Map<string, Set<string>>();
  for (const { tokens } of tests.flatMap((file) => pythonSource(file) ?? [])) {
    if (keys.size > MOST_VALUES) break;
    for (const { key, value } of pairsOf(tokens)) keys.set(value, (keys.get(value) ?? new Set()).add(key));
  }
  return { keys };
}

interface Pair {
  readonly key: string;
  readonly value: string;
}

function pairsOf(tokens: readonly PythonToken[]): Pair[] {
  const [first] = tokens;
  if (first?.text === 'assert' && first.kind === 'name') return comparedPairs(tokens);
  const isKept =
    first?.kind === 'name' && ANSWER_NAME.test(first.text) && tokens.some(({ text }) => text === '=');
  const isTable = first?.text === '@' && tokens.some(({ text }) => text === 'parametrize');
  return isKept || isTable ? neighbours(tokens) : [];
}

/** `assert rows["N1"] == "210"`: all that is named before the sign, with what stands right behind it. */
function comparedPairs(tokens: readonly PythonToken[]): Pair[] {
  const sign = tokens.findIndex(({ kind, text }) => kind === 'operator' && text === '==');
  if (sign < 0) return [];
  const right = tokens.slice(sign + 1);
  const value = right.find(isLiteral);
  const hasOne = value !== undefined && right.slice(0, right.indexOf(value)).every(isBetween);
  const word = hasOne ? answerWord(value) : undefined;
  const beside = tokens.slice(0, sign).filter(({ kind }) => kind === 'string');
  const own = word === undefined ? [] : beside.flatMap((token) => pairOf(token, word));
  return [...own, ...neighbours(right)];
}

/** `{"N1": "210"}`, `("N1", 210)`: a word and the value right behind it. */
function neighbours(tokens: readonly PythonToken[]): Pair[] {
  return tokens.flatMap((token, at) => {
    const [sign, next] = tokens.slice(at + 1, at + 3);
    if (token.kind !== 'string' || next === undefined || !isLiteral(next)) return [];
    if (sign?.text !== ':' && sign?.text !== ',') return [];
    const word = answerWord(next);
    return word === undefined ? [] : pairOf(token, word);
  });
}

function pairOf({ text }: PythonToken, value: string): Pair[] {
  const key = wordOf(text);
  return key.length < 2 || key === value || /\s/.test(key) || key.length > LONGEST ? [] : [{ key, value }];
}

function isLiteral({ kind }: PythonToken): boolean {
  return kind === 'string' || kind === 'number';
}

function isBetween({ kind, text }: PythonToken): boolean {
  return kind === 'operator' || text === 'pytest' || text === 'approx';
}

/** Something with a figure in it, of two characters or more; words are seldom answers. */
function answerWord({ text }: PythonToken): string | undefined {
  const word = wordOf(text);
  return /\d/.test(word) && word.length >= 2 && word.length <= LONGEST && !/\s/.test(word) ? word : undefined;
}

/** A word as it is compared: in lower case, numbers as they are counted. */
function wordOf(text: string): string {
  const word = text.toLowerCase();
  return /^-?(?:\d[\d_]*(?:\.\d+)?|\.\d+)$/.test(word) ? String(Number(word.replaceAll('_', ''))) : word;
}

/** The words of a line of prose, code or data. */
export function wordsOf(line: string): string[] {
  return (line.match(/[\p{L}\p{N}](?:[\p{L}\p{N}._:/-]*[\p{L}\p{N}])?/gu) ?? []).map(wordOf);
}
