import type { z } from 'zod';
import { SkillHead } from '../../load/skill-head.ts';
import { TaskFile } from '../../load/task-file.ts';
import { InputError, type Problem } from '../../model/problem.ts';
import { DOMAINS } from '../../model/task.ts';
import { askLine, type Questions } from '../ask-line.ts';

/** What a new task's files say of it. */
export interface TaskFacts {
  readonly title: string;
  readonly domain: string;
  readonly capability: string;
  readonly difficulty: string;
  /** Name of the Skill that it brings along. */
  readonly skill: string;
}

interface Fact {
  readonly question: string;
  readonly schema: z.ZodType;
  /** What a right answer looks like. */
  readonly like: string;
  /** All that there are. */
  readonly choices?: readonly string[];
  /** Absent: there is no answer that would do for most. */
  readonly usual?: (id: string) => string;
}

const { title, domain, capability, difficulty } = TaskFile.shape;

const FACTS: Readonly<Record<keyof TaskFacts, Fact>> = {
  title: {
    question: 'Title, one line for people',
    schema: title,
    like: 'some text',
    usual: titleOf,
  },
  domain: {
    question: 'Domain',
    choices: DOMAINS,
    schema: domain,
    like: `one of ${DOMAINS.join(', ')}`,
  },
  capability: {
    question: 'Capability that is called for',
    schema: capability,
    like: 'a word, such as time-series-analysis',
  },
  difficulty: {
    question: 'Difficulty',
    choices: difficulty.options,
    schema: difficulty,
    like: 'core, extended or extreme',
    usual: () => 'core',
  },
  skill: {
    question: 'Name of its Skill',
    schema: SkillHead.shape.name,
    like: 'lower-case letters, digits and single "-", at most 64 characters',
    usual: () => 'cumulative-registers',
  },
};

/**
 * Completes what the flags say: by asking where somebody is there to answer, else by what is usual. Throws InputError that names every
 * flag that is wrong, or missing and without a usual value.
 */
export async function completeFacts(
  id: string,
  flags: Partial<TaskFacts>,
  questions: Questions | undefined,
): Promise<TaskFacts> {
  const names = Object.keys(FACTS) as (keyof TaskFacts)[];
  const wrong = names.flatMap((name) => wrongFlag(name, flags[name]));
  if (wrong.length > 0) throw new InputError(wrong);
  const entries: [string, string][] = [];
  const missing: Problem[] = [];
  for (const name of names) {
    const value = flags[name] ?? (await otherwise(name, id, questions));
    if (value === undefined) missing.push(missingFlag(name));
    else entries.push([name, value]);
  }
  if (missing.length > 0) throw new InputError(missing);
  return Object.fromEntries(entries) as unknown as TaskFacts;
}

async function otherwise(
  name: keyof TaskFacts,
  id: string,
  questions: Questions | undefined,
): Promise<string | undefined> {
  const { question, choices, like, usual } = FACTS[name];
  const otherwiseUsual = usual?.(id);
  if (questions === undefined) return otherwiseUsual;
  return askLine(questions, {
    question,
    choices,
    usual: otherwiseUsual,
    refusal: (answer) => (isRight(name, answer) ? undefined : `write ${like}`),
  });
}

function isRight(name: keyof TaskFacts, value: string): boolean {
  return FACTS[name].schema.safeParse(value).success && !/[\r\n]/.test(value);
}

function wrongFlag(name: keyof TaskFacts, value: string | undefined): Problem[] {
  if (value === undefined || isRight(name, value)) return [];
  const message = `--${name} ${JSON.stringify(value)} does not fit`;
  return [{ severity: 'error', message, repair: `write ${FACTS[name].like}` }];
}

function missingFlag(name: keyof TaskFacts): Problem {
  const message = `a new task needs a ${name}, and there is no terminal to ask at`;
  return { severity: 'error', message, repair: `add --${name}, ${FACTS[name].like}` };
}

function titleOf(id: string): string {
  const words = id.split(/[-_]+/).filter((word) => word !== '');
  const text = words.join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
