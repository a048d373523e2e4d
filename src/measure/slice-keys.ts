import { quantileSorted } from 'simple-statistics';
import type { LockedTask } from '../model/run-lock.ts';
import type { SliceKind } from '../model/slice-figures.ts';

/** The slices of one kind: for each task the value that it belongs to, and the order of the values. */
export interface TaskSlices {
  readonly by: SliceKind;
  /** In the order in which they are shown. */
  readonly values: readonly string[];
  readonly valueByTask: ReadonlyMap<string, string>;
}

/** What is known of a task when a run begins; all of it may be unknown. */
export type KnownTask = Pick<LockedTask, 'id' | 'metadata' | 'skills'>;

const UNKNOWN = 'unknown';
const SKILL_COUNTS = ['none', '1', '2 to 3', '4 and more'];
const PERCENTILES = [0.25, 0.5, 0.95];

/** Every way in which tasks are sliced. A kind of which nothing is known, or all the same, is left out: it would repeat the headline. */
export function taskSlices(tasks: readonly KnownTask[]): TaskSlices[] {
  const byWord = (by: SliceKind, word: (task: KnownTask) => string): TaskSlices => {
    const valueByTask = new Map(tasks.map((task) => [task.id as string, word(task)]));
    return { by, valueByTask, values: [...new Set(valueByTask.values())].sort() };
  };
  return [
    byWord('domain', ({ metadata }) => metadata.domain || UNKNOWN),
    byWord('capability', ({ metadata }) => metadata.capability || UNKNOWN),
    byWord('difficulty', ({ metadata }) => metadata.difficulty || UNKNOWN),
    { ...byWord('skills', ({ skills }) => countText(skills.length)), values: SKILL_COUNTS },
    ...lengthSlices(tasks),
  ].filter(({ valueByTask }) => new Set(valueByTask.values()).size > 1);
}

function countText(skills: number): string {
  if (skills < 2) return skills === 0 ? 'none' : '1';
  return skills < 4 ? '2 to 3' : '4 and more';
}

/** Tasks whose SKILL.md lengths are all known, cut at the percentiles of those tasks. */
function lengthSlices(tasks: readonly KnownTask[]): TaskSlices[] {
  const known = tasks.flatMap(({ id, skills }) => {
    const bytes = skills.flatMap(({ skillFileBytes }) => skillFileBytes ?? []);
    const total = bytes.reduce((sum, size) => sum + size, 0);
    return skills.length === 0 || bytes.length < skills.length ? [] : [{ id: id as string, total }];
  });
  if (known.length === 0) return [];
  const sorted = known.map(({ total }) => total).sort((a, b) => a - b);
  const cuts = PERCENTILES.map((share) => Math.round(quantileSorted(sorted, share)));
  const [first = 0, second = 0, third = 0] = cuts;
  const values = [
    `up to ${first} bytes (p25)`,
    `${first + 1} to ${second} (p50)`,
    `${second + 1} to ${third} (p95)`,
    `over ${third}`,
  ];
  const valueByTask = new Map(
    known.map(({ id, total }) => {
      const at = cuts.findIndex((cut) => total <= cut);
      return [id, values.at(at === -1 ? 3 : at) ?? UNKNOWN];
    }),
  );
  return [{ by: 'skill-length', values, valueByTask }];
}

/** Names by which the models of a family go without its name. */
const FAMILIES: Readonly<Record<string, string>> = { opus: 'claude', sonnet: 'claude', haiku: 'claude' };

/** The family of a model: the letters that its name begins with, as in `gpt` of `openai/GPT-5.5`. */
export function modelFamily(model: string | undefined): string {
  const letters = /[a-z]+/.exec(model?.split('/').at(-1)?.toLowerCase() ?? '')?.[0] ?? UNKNOWN;
  return FAMILIES[letters] ?? letters;
}
