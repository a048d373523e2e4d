import { once } from 'node:events';
import type { Interface } from 'node:readline/promises';
import { InputError } from '../model/problem.ts';

/** Somebody at a terminal. */
export type Questions = Interface;

/** One question, and which answers do. */
export interface Question {
  readonly question: string;
  /** What an empty answer stands for; absent: an empty answer is none. */
  readonly usual: string | undefined;
  /** Why an answer does not do; undefined for one that does. */
  readonly refusal: (answer: string) => string | undefined;
}

/** Asks until the answer does. Throws InputError when whoever is asked goes away. */
export async function askLine(questions: Questions, from: Question): Promise<string> {
  const closed = new AbortController();
  const gone = once(questions, 'close', { signal: closed.signal }).then(
    () => undefined,
    () => undefined,
  );
  try {
    for (let hint = ''; ; ) {
      const given = await Promise.race([questions.question(`${hint}${prompt(from)}: `), gone]);
      if (given === undefined) throw new InputError([unanswered()]);
      const answer = given.trim() || (from.usual ?? '');
      const refusal = from.refusal(answer);
      if (refusal === undefined) return answer;
      hint = `${refusal}\n`;
    }
  } finally {
    closed.abort();
  }
}

function prompt({ question, usual }: Question): string {
  return usual === undefined ? question : `${question} [${usual}]`;
}

function unanswered() {
  const message = 'the questions were not answered to the end, so nothing was written';
  return { severity: 'error' as const, message, repair: 'answer them, or say it with flags (see --help)' };
}
