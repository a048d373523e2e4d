import { z } from 'zod';
import type { ReportFiles } from './verifier.ts';
import { verifierError } from './verifier-error.ts';

/** Largest reward.txt and reward.json that are read, in bytes. */
const REWARD_TEXT_LIMIT = 1024;
/** reward.json may be a detailed report as well. */
const REWARD_JSON_LIMIT = 1024 * 1024;

/** A reward in [0, 1] and the text that gave it. */
export interface Reward {
  readonly value: number;
  readonly text: string;
}

const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

/**
 * The reward a script left: `reward.json` wins, where it names one, else `reward.txt`; where both name one they must agree.
 * Throws Fault `verifier-error` for a reward that is missing, empty, no number, out of range, oversize or in conflict.
 */
export function readReward(files: ReportFiles): Reward | undefined {
  const fromJson = readJson(files);
  const fromText = readText(files);
  if (fromJson === undefined || fromText === undefined) return fromJson ?? fromText ?? missing(files);
  if (fromJson.value !== fromText.value) {
    throw verifierError(
      `reward.json says ${fromJson.text} and reward.txt says ${fromText.text}: the verifier must write one reward`,
    );
  }
  return fromJson;
}

function missing(files: ReportFiles): undefined {
  if (files.has('reward.json')) {
    throw verifierError(
      'reward.json names no reward: it needs a number under "reward", or one named number alone, or a reward.txt beside it',
    );
  }
  return undefined;
}

function readText(files: ReportFiles): Reward | undefined {
  const text = fileText(files, 'reward.txt', REWARD_TEXT_LIMIT)?.trim();
  if (text === undefined) return undefined;
  if (text === '') throw verifierError('reward.txt is empty');
  if (!DECIMAL.test(text)) {
    throw verifierError(
      `reward.txt holds ${JSON.stringify(text.slice(0, 80))}, which is not a decimal number`,
    );
  }
  return inRange('reward.txt', Number(text), text);
}

const Scores = z.record(z.string(), z.unknown());

/** `{"reward": x}`, or named numbers of which one alone stands for the reward; other members are details. */
function readJson(files: ReportFiles): Reward | undefined {
  const text = fileText(files, 'reward.json', REWARD_JSON_LIMIT)?.trim();
  if (text === undefined) return undefined;
  if (text === '') throw verifierError('reward.json is empty');
  const scores = parseScores(text);
  if (Object.hasOwn(scores, 'reward')) return fromMember('reward', scores.reward);
  if (files.has('reward.txt')) return undefined;
  const numbers = Object.entries(scores).filter(([, value]) => typeof value === 'number');
  const [only, second] = numbers;
  if (second !== undefined) {
    throw verifierError(
      `reward.json names ${numbers.length} numbers and none is "reward", so which of them counts is not said`,
    );
  }
  return only === undefined ? undefined : fromMember(only[0], only[1]);
}

function parseScores(text: string): z.infer<typeof Scores> {
  try {
    return Scores.parse(JSON.parse(text));
  } catch (cause) {
    throw verifierError('reward.json is not a JSON object (NaN and Infinity are not JSON)', { cause });
  }
}

function fromMember(name: string, value: unknown): Reward {
  if (typeof value !== 'number') {
    throw verifierError(`reward.json holds ${JSON.stringify(value)} under "${name}", which is not a number`);
  }
  return inRange('reward.json', value, JSON.stringify(value));
}

function inRange(file: string, value: number, text: string): Reward {
  if (!(value >= 0 && value <= 1)) throw verifierError(`${file} holds ${text}, which is not in [0, 1]`);
  // -0 is 0: the sign would survive into records.
  return { value: value === 0 ? 0 : value, text };
}

function fileText(files: ReportFiles, name: string, limit: number): string | undefined {
  const file = files.get(name);
  if (file === undefined) return undefined;
  if (file.truncated || file.bytes.byteLength > limit)
    throw verifierError(`${name} is larger than ${limit} bytes`);
  return new TextDecoder().decode(file.bytes);
}
