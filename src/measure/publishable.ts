import type { Counts, IncompletePair, Measurement } from '../model/measurement.ts';
import type { RunRecord } from '../model/run-record.ts';

/** What decides whether a headline may be published. */
export interface PublishableInput {
  readonly counts: Counts;
  readonly configurations: Measurement['configurations'];
  readonly incompletePairs: readonly IncompletePair[];
  /** No-skills trials in which a Skill was used. */
  readonly contaminated: readonly string[];
  /** No-skills trials in whose container a Skill was found afterwards. */
  readonly gained: readonly string[];
  /** Filters and shards that left a part of the experiment. */
  readonly part: readonly string[];
  /** Means were imported without the trials they are of. */
  readonly hasMeansOnly: boolean;
  readonly endedBy: RunRecord['endedBy'];
}

/** Whether the headline is fit to publish; each reason against it is a sentence of its own. */
export function publishable(input: PublishableInput): Measurement['publishable'] {
  const reasons = [
    ...(input.counts.planned === 0 ? ['no trial was planned'] : []),
    ...(input.part.length > 0 ? [`only a part of the experiment was run: ${input.part.join(', ')}`] : []),
    ...(input.hasMeansOnly
      ? [
          'means were imported: how many of their trials had a verdict, and what stood in for the others, is not known',
        ]
      : []),
    ...(input.endedBy === 'done' ? [] : [`the run did not end by itself: ${input.endedBy}`]),
    ...(input.counts.unscored > 0
      ? [
          `${input.counts.unscored} of ${input.counts.planned} planned ${agree(input.counts.planned, 'trial')} ${input.counts.unscored === 1 ? 'has' : 'have'} no verdict`,
        ]
      : []),
    ...(input.incompletePairs.length > 0
      ? [
          `${input.incompletePairs.length} ${agree(input.incompletePairs.length, 'pair')} ${input.incompletePairs.length === 1 ? 'is' : 'are'} incomplete`,
        ]
      : []),
    ...(input.contaminated.length > 0
      ? [`a Skill was used in the no-skills arm of ${input.contaminated.join(', ')}`]
      : []),
    ...(input.gained.length > 0
      ? [`a Skill was found after the agent in the no-skills arm of ${input.gained.join(', ')}`]
      : []),
    ...input.configurations.flatMap(({ configuration, arms, unpairedTasks, models = [] }) => [
      ...(models.some(({ modes }) => modes.includes('scripted'))
        ? [`${configuration}: a script answered in the place of a model`]
        : []),
      ...(arms.length < 2 ? [`${configuration}: only one arm was planned, so there is no gain`] : []),
      ...(hasUnequalCoverage(arms) ? [`${configuration}: coverage differs between the arms`] : []),
      ...(unpairedTasks.length > 0
        ? [`${configuration}: inconclusive without a verdict in both arms: ${unpairedTasks.join(', ')}`]
        : []),
    ]),
  ];
  return { ok: reasons.length === 0, reasons };
}

function hasUnequalCoverage(arms: Measurement['configurations'][number]['arms']): boolean {
  const [first, second] = arms;
  return first !== undefined && second !== undefined && first.coverage !== second.coverage;
}

function agree(count: number, word: string): string {
  return count === 1 ? word : `${word}s`;
}
