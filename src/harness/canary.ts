import { seededRandom, seedFrom } from '../base/random.ts';
import type { HarnessReading } from './harness.ts';

/** A Skill that holds nothing but a random token: whoever writes the token has read it. */
export interface Canary {
  readonly name: string;
  readonly token: string;
  /** Content of its SKILL.md. The token is in the body alone, so that no listing shows it. */
  readonly skillFile: string;
}

/** What a canary says of a detector of Skill use. */
export type CanaryVerdict =
  /** The token came back, and the reading says that the Skill was used. */
  | 'seen'
  /** The token came back, and the reading does not say so: the detector is broken for this version of the program. */
  | 'missed'
  /** The reading says that the Skill was used, and the token did not come back to confirm it. */
  | 'unconfirmed'
  /** The Skill was not opened, so that nothing was tried. */
  | 'not-opened';

/** What a trial of a canary is judged by. */
export interface CanaryReading extends Pick<HarnessReading, 'skillUse' | 'trajectory'> {
  /** What the agent handed in, for programs that leave no trajectory. */
  readonly answer?: string;
}

/** Makes a canary; equal seeds make equal ones. */
export function makeCanary(seed: string): Canary {
  const random = seededRandom(seedFrom(seed));
  const token = Array.from({ length: 24 }, () => Math.floor(random() * 36).toString(36)).join('');
  const name = 'canary-token';
  return {
    name,
    token,
    skillFile: `---\nname: ${name}\ndescription: Tells the token of the day. Use it whenever a token is asked for.\n---\n\nThe token is ${token}\n`,
  };
}

/**
 * Judges a reading of a trial that had the canary as its only Skill: the agent must have been asked for the token. Only
 * what tools answered, what the agent said and what it handed in counts as the token's coming back.
 */
export function judgeCanary(
  { name, token }: Canary,
  { skillUse, trajectory, answer }: CanaryReading,
): CanaryVerdict {
  const used = skillUse.some((use) => use.skill === name && use.use === 'used');
  const shown = trajectory?.steps.map((step) => (step.kind === 'tool-call' ? step.result : step.text)) ?? [];
  const cameBack = [...shown, trajectory?.finalText, answer].some((text) => text?.includes(token));
  if (cameBack) return used ? 'seen' : 'missed';
  return used ? 'unconfirmed' : 'not-opened';
}
