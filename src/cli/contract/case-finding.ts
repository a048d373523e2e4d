import { type Canary, judgeCanary } from '../../harness/canary.ts';
import type { AttemptRecord, SkillUse } from '../../model/attempt.ts';
import type { Trajectory } from '../../model/trajectory.ts';
import type { ContractCase } from './contract-case.ts';

/** What a case's trial left. */
export interface CaseEvidence {
  readonly record: Pick<AttemptRecord, 'outcome' | 'skillUse' | 'agent' | 'modelUse'>;
  /** Absent for programs that leave none. */
  readonly trajectory: Trajectory | undefined;
  readonly canary: Canary;
}

/** What a trial showed, in the words of {@link ContractCase.expected}. */
export function caseFinding(tells: ContractCase['tells'], evidence: CaseEvidence): string {
  const ending = endingOf(evidence.record.outcome);
  return [ending, ...besides(tells, evidence)].join('; ');
}

function besides(tells: ContractCase['tells'], evidence: CaseEvidence): readonly string[] {
  const { agent, modelUse, skillUse } = evidence.record;
  switch (tells) {
    case 'ending':
      return [];
    case 'agent': {
      // An agent whose time was up before it asked shows nothing of what its model did.
      const asked = modelUse?.requests ? [] : ['no model was asked'];
      return [agent?.ending ?? 'no agent', ...asked];
    }
    case 'served':
      return [`${modelUse?.servedModels.join(', ') || 'nobody'} answered`];
    case 'detector':
      return [detectorSays(evidence)];
    case 'nothing-used':
      return allSeen(skillUse);
  }
}

function endingOf(outcome: AttemptRecord['outcome']): string {
  if (outcome.kind === 'unscored') return outcome.reason;
  return outcome.verdict.passed ? 'passed' : 'failed';
}

/** Where there is no trajectory, the answer that the verifier accepted is what shows that the token came back. */
function detectorSays({ record, trajectory, canary }: CaseEvidence): string {
  const { skillUse } = record;
  const use = skillUse.find(({ skill }) => skill === canary.name)?.use ?? 'cannot-tell';
  if (use === 'cannot-tell') return use;
  if (trajectory !== undefined) return judgeCanary(canary, { skillUse, trajectory });
  const answer = endingOf(record.outcome) === 'passed' ? canary.token : '';
  return judgeCanary(canary, { skillUse, answer });
}

/** The use and the listing of all Skills but those that the program is known to bring along. */
function allSeen(skillUse: readonly SkillUse[]): [string, string] {
  const used = skillUse.filter(({ use }) => use === 'used').map(({ skill }) => skill);
  const blind = skillUse.some(({ use }) => use === 'cannot-tell');
  const listed = skillUse.filter(({ origin, stages }) => origin !== 'harness' && stages?.listed === 'yes');
  const unknown = skillUse.some(({ stages }) => stages === undefined || stages.listed === 'cannot-tell');
  return [
    used.length > 0 ? `used ${used.join(', ')}` : blind ? 'cannot-tell' : 'nothing used',
    listed.length > 0
      ? `listed ${listed.map(({ skill }) => skill).join(', ')}`
      : unknown
        ? 'listing not known'
        : 'nothing listed',
  ];
}
