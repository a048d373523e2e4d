import { once } from 'node:events';
import type { Interface } from 'node:readline/promises';
import { nearest } from '../base/nearest.ts';
import { InputError } from '../model/problem.ts';

/** Somebody at a terminal. */
export type Questions = Interface;

/** One question, and which answers do. */
export interface Question {
  readonly question: string;
  /** All answers that do, to be named or numbered from 1; shown once. Absent: there are too many. */
  readonly choices: readonly string[] | undefined;
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
    for (let ask = firstPrompt(from); ; ) {
      const given = await Promise.race([questions.question(ask), gone]);
      if (given === undefined) throw new InputError([unanswered()]);
      const answer = chosen(given.trim(), from) || (from.usual ?? '');
      const refusal = from.refusal(answer);
      if (refusal === undefined) return answer;
      ask = `${from.choices === undefined ? refusal : choiceHint(answer, from.choices)}\n${prompt(from)}`;
    }
  } finally {
    closed.abort();
  }
}

/** A choice by its number, or what was typed. */
function chosen(given: string, { choices = [] }: Question): string {
  return (/^\d+$/.test(given) ? choices[Number(given) - 1] : undefined) ?? given;
}

function firstPrompt(from: Question): string {
  const { choices = [] } = from;
  const lines = choices.map((choice, index) => `  ${index + 1}  ${choice}\n`);
  return `${lines.join('')}${prompt(from)}`;
}

function prompt({ question, usual, choices }: Question): string {
  const how = choices === undefined ? '' : ', by number or name';
  return `${question}${how}${usual === undefined ? '' : ` [${usual}]`}: `;
}

function choiceHint(answer: string, choices: readonly string[]): string {
  const near = nearest(answer, choices);
  return near === undefined
    ? `write a number from 1 to ${choices.length}, or a name from the list`
    : `did you mean "${near}"?`;
}

function unanswered() {
  const message = 'the questions were not answered to the end, so nothing was written';
  return { severity: 'error' as const, message, repair: 'answer them, or say it with flags (see --help)' };
}
