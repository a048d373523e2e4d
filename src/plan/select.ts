import { matchesGlob } from '../base/glob.ts';
import { err, ok, type Result } from '../base/result.ts';
import type { Configuration } from '../model/configuration.ts';
import type { ConditionName } from '../model/ids.ts';
import type { Problem } from '../model/problem.ts';
import type { Project } from '../model/project.ts';
import type { Task } from '../model/task.ts';
import { available } from './available.ts';

type Wanted = readonly string[] | undefined;

/**
 * Filters over an experiment. Within a list one match is enough; the lists narrow each other. Every word may hold `*` and `?`.
 * An absent or empty list leaves everything.
 */
export interface Selection {
  readonly tasks?: Wanted;
  readonly domains?: Wanted;
  readonly difficulties?: Wanted;
  readonly tags?: Wanted;
  readonly conditions?: Wanted;
  readonly harnesses?: Wanted;
}

/** What is left of an experiment after filtering; never empty. */
export interface Selected {
  readonly tasks: readonly Task[];
  readonly conditions: readonly ConditionName[];
  readonly configurations: readonly Configuration[];
  /** Things allowed but worth saying (one arm alone). */
  readonly notes: readonly Problem[];
}

interface Facet<T> {
  /** Completes `no task …`. */
  readonly phrase: string;
  readonly wanted: Wanted;
  readonly words: (item: T) => readonly string[];
}

/** Applies the filters. A word that fits nothing is an error of its own, even where others fit: it is most likely a slip. */
export function select(project: Project, selection: Selection): Result<Selected, readonly Problem[]> {
  const offered = project.experiment.conditions;
  const tasks = narrow('task', project.tasks, taskFacets(selection));
  const conditions = narrow('condition', offered, [
    { phrase: 'is named', wanted: selection.conditions, words: (name) => [name] },
  ]);
  const configurations = narrow('configuration', project.configurations, [
    { phrase: 'uses harness', wanted: selection.harnesses, words: ({ harness }) => [harness] },
  ]);
  const problems = [...tasks.problems, ...conditions.problems, ...configurations.problems];
  if (problems.length > 0) return err(problems);
  return ok({
    tasks: tasks.kept,
    conditions: conditions.kept,
    configurations: configurations.kept,
    notes: oneArmNotes(conditions.kept, offered),
  });
}

function taskFacets(selection: Selection): readonly Facet<Task>[] {
  return [
    { phrase: 'is named', wanted: selection.tasks, words: (task) => [task.id] },
    { phrase: 'has domain', wanted: selection.domains, words: (task) => [task.metadata.domain] },
    { phrase: 'has difficulty', wanted: selection.difficulties, words: (task) => [task.metadata.difficulty] },
    { phrase: 'has tag', wanted: selection.tags, words: (task) => task.metadata.tags },
  ];
}

interface Narrowed<T> {
  readonly kept: readonly T[];
  readonly problems: readonly Problem[];
}

function narrow<T>(noun: string, items: readonly T[], facets: readonly Facet<T>[]): Narrowed<T> {
  if (items.length === 0) return { kept: [], problems: [nothingThere(noun)] };
  const active = facets.filter((facet) => (facet.wanted ?? []).length > 0);
  const unknown = active.flatMap((facet) => unknownWords(items, noun, facet));
  const kept = items.filter((item) => active.every((facet) => fits(facet, item)));
  if (kept.length > 0 || unknown.length > 0) return { kept, problems: unknown };
  return { kept, problems: [nothingLeft(noun, active)] };
}

function nothingThere(noun: string): Problem {
  return {
    severity: 'error',
    message: `the experiment has no ${noun}`,
    repair: `name at least one ${noun} in the experiment file`,
  };
}

function fits<T>(facet: Facet<T>, item: T): boolean {
  const words = facet.words(item);
  return (facet.wanted ?? []).some((wanted) => words.some((word) => matchesGlob(wanted, word)));
}

function unknownWords<T>(items: readonly T[], noun: string, facet: Facet<T>): Problem[] {
  const words = new Set(items.flatMap((item) => facet.words(item)));
  return (facet.wanted ?? [])
    .filter((wanted) => ![...words].some((word) => matchesGlob(wanted, word)))
    .map((wanted) => ({
      severity: 'error',
      message: `no ${noun} ${facet.phrase} "${wanted}"`,
      repair: words.size === 0 ? `no ${noun} has any` : `choose from: ${available(words, wanted)}`,
    }));
}

function nothingLeft<T>(noun: string, active: readonly Facet<T>[]): Problem {
  const wishes = active.map((facet) => `${facet.phrase} ${(facet.wanted ?? []).join(' or ')}`);
  return {
    severity: 'error',
    message: `nothing is selected: no ${noun} ${wishes.join(' and ')}`,
    repair: 'each filter fits something, but nothing fits all of them: drop one',
  };
}

function oneArmNotes(kept: readonly ConditionName[], all: readonly ConditionName[]): Problem[] {
  const [only] = kept;
  if (kept.length !== 1 || only === undefined || all.length === 1) return [];
  return [
    {
      severity: 'note',
      message: `only condition ${only} is selected: pass rates can be measured, a gain cannot`,
      repair: `leave the condition filter out to run all of: ${all.join(', ')}`,
    },
  ];
}
