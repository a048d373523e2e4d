import { cell, markdownTable } from '../src/report/markdown-table.ts';

/** A trial of a task of the corpus, as one of its columns. */
export interface CorpusTrial {
  readonly task: string;
  readonly run: string;
  readonly column: 'oracle with-skills' | 'oracle no-skills' | 'nop';
  /** ISO 8601. */
  readonly startedAt: string;
  /** `passed`, `failed`, or the reason why there is no verdict. */
  readonly result: string;
  /** How the oracle ended, where it did not end by itself: `timed-out`, say. */
  readonly ending: string | undefined;
  /** Skills that were found in its container before and after the agent; undefined in the arm that has some. */
  readonly strayedSkills: number | undefined;
  readonly agentSeconds: number;
  readonly verifySeconds: number;
}

/** A task, tried or not. */
export interface CorpusTask {
  readonly id: string;
  /** What forbids to run it, as reading it tells. */
  readonly refusals: readonly string[];
  /** Images that it starts from and for which there is no stand-in. */
  readonly lackedImages: readonly string[];
  /** What it needs beyond package registries and a base image, or what a run showed, where somebody looked into it. */
  readonly note: string | undefined;
  /** Of the build of its image, seconds; undefined where none was made. */
  readonly buildSeconds: number | undefined;
  readonly trials: readonly CorpusTrial[];
}

const COLUMNS = ['oracle with-skills', 'oracle no-skills', 'nop'] as const;
const HEAD = ['task', ...COLUMNS, 'build', 'agent', 'verify', 'runs', 'remarks'];

/** The table of one corpus, in order of name. Seconds are those of the oracle, with Skills where it was tried so. */
export function corpusTable(tasks: readonly CorpusTask[]): readonly string[] {
  const rows = tasks.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(row);
  return markdownTable(HEAD, rows);
}

/** How many tasks came to what, in sentences. */
export function corpusCounts(name: string, tasks: readonly CorpusTask[]): readonly string[] {
  const count = (...kinds: readonly Standing[]) =>
    tasks.filter((task) => kinds.includes(standing(task))).length;
  const bare = tasks.flatMap(({ trials }) => trials.flatMap(({ strayedSkills }) => strayedSkills ?? []));
  return [
    `- ${name}: ${tasks.length} tasks. Tried: ${count('sound', 'unsound', 'no-verdict')}.`,
    `  - The oracle passed and an untouched workspace failed: ${count('sound')}.`,
    `  - There was a verdict, and another one: ${count('unsound')}.`,
    `  - The oracle passed with Skills alone: ${named(tasks.filter(needsSkills))}.`,
    `  - Skills found in containers of the ${bare.length} trials without Skills: ${bare.reduce((sum, stray) => sum + stray, 0)}.`,
    `  - No verdict: ${count('no-verdict')}.`,
    `  - Not tried: ${count('refused')} cannot run as they are, ${count('lacks-image')} start from an image that nothing here stands in for, ${count('untried')} for other reasons.`,
  ];
}

type Standing = 'sound' | 'unsound' | 'no-verdict' | 'refused' | 'lacks-image' | 'untried';

/** Without Skills an oracle may fail: what it does with them decides, or the only way in which it was tried. */
function standing(task: CorpusTask): Standing {
  if (task.trials.length > 0) {
    const oracle = results(task, mainColumn(task));
    const nop = results(task, 'nop');
    if (oracle.length === 0 || ![...oracle, ...nop].every(isVerdict)) return 'no-verdict';
    return oracle.every(isPassed) && nop.every((result) => !isPassed(result)) ? 'sound' : 'unsound';
  }
  if (task.refusals.length > 0) return 'refused';
  return task.lackedImages.length > 0 ? 'lacks-image' : 'untried';
}

function needsSkills(task: CorpusTask): boolean {
  const [withSkills, without] = [results(task, 'oracle with-skills'), results(task, 'oracle no-skills')];
  return withSkills.some(isPassed) && without.length > 0 && without.every((result) => result === 'failed');
}

function named(tasks: readonly CorpusTask[]): string {
  return tasks.length === 0 ? 'none' : tasks.map(({ id }) => cell(id)).join(', ');
}

function row(task: CorpusTask): string[] {
  const newest = newestTrials(task, mainColumn(task));
  const seconds = (pick: (trial: CorpusTrial) => number) =>
    newest.length === 0 ? '' : `${Math.round(Math.max(...newest.map(pick)))} s`;
  const build = task.buildSeconds === undefined ? '' : `${Math.round(task.buildSeconds)} s`;
  return [
    cell(task.id),
    ...COLUMNS.map((column) => tally(newestTrials(task, column))),
    build,
    seconds(({ agentSeconds }) => agentSeconds),
    seconds(({ verifySeconds }) => verifySeconds),
    cell(
      [...new Set(COLUMNS.flatMap((column) => newestTrials(task, column).map(({ run }) => run)))].join(', '),
    ),
    cell(remark(task)),
  ];
}

function remark(task: CorpusTask): string {
  const [refusal, ...more] = task.refusals;
  const and = more.length === 0 ? '' : ` (and ${more.length} more)`;
  if (refusal !== undefined) return `cannot run: ${refusal}${and}`;
  if (task.trials.length > 0) return task.note ?? '';
  const needs = [...task.lackedImages.map((name) => `needs the image ${name}`), task.note ?? []].flat();
  return `not tried here: ${needs.length === 0 ? 'needs time' : needs.join('; ')}`;
}

/** The oracle's column that tells whether the task is sound. */
function mainColumn({ trials }: CorpusTask): CorpusTrial['column'] {
  const isTried = trials.some(({ column }) => column === 'oracle with-skills');
  return isTried ? 'oracle with-skills' : 'oracle no-skills';
}

/** Results of a column: those of the newest run that has it. */
function results(task: CorpusTask, column: CorpusTrial['column']): readonly string[] {
  return newestTrials(task, column).map(({ result }) => result);
}

function newestTrials({ trials }: CorpusTask, column: CorpusTrial['column']): readonly CorpusTrial[] {
  const all = trials.filter((trial) => trial.column === column);
  const newest = all.toSorted((a, b) => (a.startedAt < b.startedAt ? 1 : -1))[0];
  return all.filter(({ run }) => run === newest?.run);
}

/** The one result, or of several trials `passed 3 of 5`; that none passed says enough. */
function tally(trials: readonly CorpusTrial[]): string {
  const all = trials.map(({ result, ending }) => (ending === undefined ? result : `${result}, ${ending}`));
  const [first = ''] = all;
  if (all.every((text) => text === first && (all.length === 1 || text !== 'passed'))) return cell(first);
  return cell(`passed ${trials.filter(({ result }) => isPassed(result)).length} of ${all.length}`);
}

function isPassed(result: string): boolean {
  return result === 'passed';
}

function isVerdict(result: string): boolean {
  return isPassed(result) || result === 'failed';
}
