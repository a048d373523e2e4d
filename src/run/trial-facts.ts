import type { AttemptRecord, Limits, SkillUse } from '../model/attempt.ts';
import type { GatewayWay } from '../model/gateway-way.ts';

/** What has been learnt of an attempt so far; complete or not, it goes into the record. */
export interface TrialFacts {
  images: AttemptRecord['images'];
  harnessVersion?: string;
  limits?: Limits;
  gateway?: GatewayWay;
  agent?: NonNullable<AttemptRecord['agent']>;
  attestation: AttemptRecord['attestation'];
  skillUse: SkillUse[];
  harnessFault?: NonNullable<AttemptRecord['harnessFault']>;
  packages?: NonNullable<AttemptRecord['packages']>;
  modelUse?: NonNullable<AttemptRecord['modelUse']>;
  repeatedVerdicts?: NonNullable<AttemptRecord['repeatedVerdicts']>;
}

/** Nothing learnt yet. */
export function noFacts(): TrialFacts {
  return { images: {}, attestation: {}, skillUse: [] };
}
