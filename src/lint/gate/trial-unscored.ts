import { join } from 'node:path';
import { collectionAdvice, collectionFailureIn, collectionLine } from '../../model/collection-failure.ts';
import type { Unscored } from '../../model/outcome.ts';
import { allOf, type GateEvidence, type GateRemark, type GateRule } from './gate-rule.ts';

/** Trials without a verdict: one cause is told once, however many trials it befell. */
export const trialUnscored: GateRule = {
  name: 'trial-unscored',
  check: (evidence) => {
    const lost = allOf(evidence).flatMap(({ what, records }) =>
      records.flatMap(({ outcome }) => (outcome.kind === 'scored' ? [] : [{ what, outcome }])),
    );
    const causes = Map.groupBy(
      lost,
      ({ outcome: { reason, phase, detail } }) => `${reason} ${phase} ${detail}`,
    );
    return [...causes.values()].flatMap((ofOne) => {
      const [first] = ofOne;
      const whose = [...new Set(ofOne.map(({ what }) => what))];
      return first === undefined ? [] : [remark(evidence, whose, first.outcome)];
    });
  },
};

function remark({ task }: GateEvidence, whose: readonly string[], outcome: Unscored): GateRemark {
  const { reason, phase, detail } = outcome;
  const failure = collectionFailureIn(detail);
  if (failure === undefined) {
    const message = `${whose.join(', ')} ${whose.length === 1 ? 'has' : 'have'} no verdict: ${reason} in phase ${phase}: ${detail}`;
    return { severity: 'error', message, where: { file: task.dir } };
  }
  const line = collectionLine(failure);
  return {
    severity: 'error',
    message: `the tests cannot be collected, so that nothing gets a verdict: ${failure.what}`,
    where: { file: join(task.verifier.testsDir, failure.file), ...(line === undefined ? {} : { line }) },
    repair: collectionAdvice(failure) ?? 'correct the Python at this place',
  };
}
