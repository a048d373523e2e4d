import type { HarnessReading } from '../harness/harness.ts';
import type { SkillUse } from '../model/attempt.ts';
import { Fault } from '../model/fault.ts';
import type { Verdict } from '../model/verdict.ts';
import { attest } from './attest.ts';
import { driveAgent } from './drive-agent.ts';
import { planInjection } from './inject.ts';
import { grantLimits } from './limits.ts';
import type { PhaseClock } from './phase-clock.ts';
import { prepareAgent } from './prepare-agent.ts';
import type { AttemptInput, TrialServices } from './trial-context.ts';
import type { TrialFacts } from './trial-facts.ts';
import { verifyWork } from './verify-work.ts';

/** One go at a trial, phase by phase. Throws Fault or EngineError when there can be no verdict. */
export async function runTrial(
  services: TrialServices,
  input: AttemptInput,
  progress: { readonly clock: PhaseClock; readonly facts: TrialFacts },
): Promise<Verdict> {
  const { clock, facts } = progress;
  const { stop } = input;
  const image = await clock.run('build', () => services.images.taskImage(input.task, stop));
  const harnessVolume = await clock.run('build', () => services.images.harnessVolume(input.harness, stop));
  facts.images = { task: image.id };
  const limits = grantLimits(input.task, services.host);
  facts.limits = limits;
  const injection = await planInjection(services, input, image);

  const made = { image, limits, harnessVolume, injection, clock, facts };
  const { container, lease } = await input.inSlot(() => prepareAgent(services, input, made));
  await using _agent = lease;
  const { agent, reading } = await clock.run('agent', () => driveAgent(services, input, container));
  facts.agent = agent;
  facts.skillUse = [...reading.skillUse];
  const lookAgain = async () => {
    const changes = await container.changes(stop);
    facts.attestation.after = await attest(container, { ...injection, changes }, stop);
    return changes;
  };
  const fault = faultOf(input, reading);
  if (fault !== undefined) {
    await clock.run('check', lookAgain);
    throw fault;
  }
  const injected = new Set(injection.entries.map(({ path }) => `/${path}`));
  const work = { image, limits, container, injected, lease, facts, clock, lookAgain };
  return await input.inSlot(() => verifyWork(services, input, work));
}

/** What the harness's own output says against counting this trial. */
function faultOf(input: AttemptInput, { fault, skillUse }: HarnessReading): Fault | undefined {
  return fault === undefined
    ? useWithoutSkills(input, skillUse)
    : new Fault(fault.reason, 'agent', fault.detail);
}

/** An arm without Skills in which one was used is not that arm, even where nothing was found beforehand. */
function useWithoutSkills(input: AttemptInput, uses: readonly SkillUse[]): Fault | undefined {
  if (input.trial.condition !== 'no-skills') return undefined;
  const used = uses.filter(({ use }) => use === 'used').map(({ skill }) => skill);
  if (used.length === 0) return undefined;
  const detail = `the agent used Skills without having any: ${used.join(', ')}`;
  return new Fault('condition-violated', 'agent', detail);
}
