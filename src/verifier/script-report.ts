import type { TestResult } from '../model/verdict.ts';
import { readCtrf } from './ctrf.ts';
import { findInstallFailure } from './install-failure.ts';
import { type Reward, readReward } from './reward.ts';
import type { ReadVerdict } from './verifier.ts';
import { describeExit, requireOwnEnd, verifierError } from './verifier-error.ts';

/**
 * The verdict of a `script` verifier: the reward it wrote, with the checks of its CTRF report where there is one.
 * The exit code says nothing (most scripts end with 0 whatever happened). Passed: reward exactly 1.
 */
export const readScriptVerdict: ReadVerdict = ({ spec, exit, files, outputTail }) => {
  requireOwnEnd(exit, spec);
  const tests = readCtrf(files);
  const reward = readReward(files);
  requireSetUp(reward, tests, outputTail);
  if (reward === undefined) {
    throw verifierError(
      `the verifier wrote neither reward.json nor reward.txt to /logs/verifier and ${describeExit(exit)}`,
    );
  }
  return {
    passed: reward.value === 1,
    reward: reward.value,
    rewardText: reward.text,
    tests: [...(tests ?? [])],
  };
};

/** A reward below 1, or none, is not an answer's fault where the verifier could not even set itself up. */
function requireSetUp(
  reward: Reward | undefined,
  tests: readonly TestResult[] | undefined,
  outputTail: string,
): void {
  if (reward?.value === 1 || (tests !== undefined && tests.length > 0)) return;
  const failure = findInstallFailure(outputTail);
  if (failure !== undefined) throw verifierError(`the verifier could not set itself up: ${failure}`);
}
