import type { HarnessReading } from '../harness/harness.ts';
import type { SkillUse } from '../model/attempt.ts';
import { Fault } from '../model/fault.ts';
import type { GatewayWay } from '../model/gateway-way.ts';
import type { Verdict } from '../model/verdict.ts';
import { agentBindings } from './agent-bindings.ts';
import { driveAgent } from './drive-agent.ts';
import type { OpenWay } from './gateway-reach.ts';
import { planInjection } from './inject.ts';
import { grantLimits } from './limits.ts';
import { lookAgain } from './look-again.ts';
import { type ModelAccess, needsGateway, openModelAccess } from './model-access.ts';
import { packageNeed } from './packages/warm-up.ts';
import type { PhaseClock } from './phase-clock.ts';
import { prepareAgent } from './prepare-agent.ts';
import { readAgent } from './read-agent.ts';
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
  const version = services.images.harnessVersion(input.harness);
  if (version !== undefined) facts.harnessVersion = version;
  const limits = grantLimits(input.task, services.host);
  facts.limits = limits;
  await using packages = services.packages?.begin(packageNeed(services, input, { image, limits }));
  const models = needsGateway(input.harness, input.task)
    ? await clock.run('start', () => openModelAccess(services, input))
    : undefined;
  await using _models = models?.access;
  if (models !== undefined) facts.gateway = recordedWay(models.way);
  const bindings = agentBindings(input, image, models);
  const { values } = bindings;
  const injection = await planInjection(services, input, { image, values });

  const network = models?.network.name;
  const made = { image, limits, harnessVolume, injection, bindings, network, clock, facts };
  const { container, lease } = await input.inSlot(() => prepareAgent(services, input, made));
  await using _agent = lease;
  const { agent, reading } = await clock.run('agent', async () => {
    try {
      const { volumes } = image.info;
      const storage = { limitBytes: limits.storageBytes.granted, freeSpace: services.freeSpace, volumes };
      const streams = await driveAgent(input, container, { models, storage });
      return await readAgent(services, input, { container, streams, models, values });
    } finally {
      keepModelUse(input, models, facts);
    }
  });
  facts.agent = agent;
  facts.skillUse = [...reading.skillUse];
  if (reading.fault !== undefined) facts.harnessFault = reading.fault;
  const look = () => lookAgain(input, { container, image, limits, injection, facts });
  const fault = gatewayFault(models) ?? faultOf(input, reading);
  if (fault !== undefined) {
    await clock.run('check', look);
    throw fault;
  }
  const injected = new Set(injection.entries.map(({ path }) => `/${path}`));
  const kept = packages && (await clock.run('verify', () => packages.packages));
  const work = { image, limits, container, injected, lease, facts, clock, packages: kept, lookAgain: look };
  return await input.inSlot(() => verifyWork(services, input, work));
}

/** What was asked has been paid, also by an attempt that comes to nothing. */
function keepModelUse(input: AttemptInput, models: ModelAccess | undefined, facts: TrialFacts): void {
  if (models !== undefined && input.harness.manifest.protocol !== undefined)
    facts.modelUse = models.access.use();
}

/** The gateway saw the provider itself, so that its word goes before the harness's. */
function gatewayFault(models: ModelAccess | undefined): Fault | undefined {
  const fault = models?.access.fault();
  return fault === undefined ? undefined : new Fault(fault.reason, 'agent', fault.detail);
}

/** What the harness's own output says against counting this trial. */
function faultOf(input: AttemptInput, { fault, skillUse }: HarnessReading): Fault | undefined {
  if (fault !== undefined) return new Fault(fault.reason, 'agent', fault.detail);
  return useWithoutSkills(input, skillUse) ?? invisibleSkills(skillUse);
}

/** An arm whose Skills the model was never told of is the other arm under a wrong name. */
function invisibleSkills(uses: readonly SkillUse[]): Fault | undefined {
  const hidden = uses.filter(({ stages }) => stages?.staged === 'yes' && stages.listed === 'no');
  if (hidden.length === 0) return undefined;
  const names = hidden.map(({ skill }) => skill).join(', ');
  const detail = `the Skills are in the container, and the first request tells the model nothing of ${names}`;
  return new Fault('condition-violated', 'agent', detail);
}

/** An arm without Skills in which one was used is not that arm, even where nothing was found beforehand. */
function useWithoutSkills(input: AttemptInput, uses: readonly SkillUse[]): Fault | undefined {
  if (input.trial.condition !== 'no-skills') return undefined;
  const used = uses.filter(({ use }) => use === 'used').map(({ skill }) => skill);
  if (used.length === 0) return undefined;
  const detail = `the agent used Skills without having any: ${used.join(', ')}`;
  return new Fault('condition-violated', 'agent', detail);
}

function recordedWay({ lost: _lost, ...way }: OpenWay): GatewayWay {
  return way;
}
