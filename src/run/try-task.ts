import type { Container } from '../engine/engine.ts';
import type { MainExit } from '../engine/main-process.ts';
import type { TaskImage } from '../image/image-store.ts';
import type { Limits } from '../model/attempt.ts';
import type { Harness } from '../model/harness.ts';
import type { Outcome } from '../model/outcome.ts';
import { agentBindings } from './agent-bindings.ts';
import { AGENT_GRACE_MS } from './drive-agent.ts';
import { planInjection } from './inject.ts';
import { grantLimits } from './limits.ts';
import { lookAgain } from './look-again.ts';
import { needsGateway, openModelAccess } from './model-access.ts';
import { packageNeed } from './packages/warm-up.ts';
import { PhaseClock } from './phase-clock.ts';
import { prepareAgent } from './prepare-agent.ts';
import type { AttemptInput, TrialServices } from './trial-context.ts';
import { noFacts, type TrialFacts } from './trial-facts.ts';
import { unscoredFrom } from './unscored.ts';
import { verifyWork } from './verify-work.ts';

/** What somebody finds who is about to work in the agent's place. */
export interface TryScene {
  readonly image: TaskImage;
  readonly limits: Limits;
  /** Container paths of the SKILL.md files in it. */
  readonly skillFiles: readonly string[];
}

/** Somebody in the agent's place. */
export interface Person {
  readonly stdin: 'pipe' | 'terminal';
  /** What is started for them, as a container's command. */
  readonly shell: (image: TaskImage) => readonly string[];
  /** Called right before it starts. What it returns is disposed as soon as it has ended, or could not be started. */
  readonly sitDown: (scene: TryScene) => Disposable;
  readonly terminal: Omit<Parameters<Container['runTerminal']>[0], 'timeoutMs' | 'graceMs' | 'signal'>;
  /** Told how it ended, before the verifier starts. */
  readonly ended: (exit: MainExit) => void;
}

/**
 * A trial with a person in the agent's place: prepared and verified as any other, with no limit of time in between. `input.harness` is one of
 * {@link skillFoldersOf}. Never rejects for what happens inside; leaves nothing on the engine but what `input.leftBehind` is
 * told.
 */
export async function tryTask(
  services: TrialServices,
  input: AttemptInput,
  person: Person,
): Promise<Outcome> {
  const clock = new PhaseClock({ started: () => undefined, ended: () => undefined });
  try {
    const verdict = await goThrough(services, input, { person, clock, facts: noFacts() });
    return { kind: 'scored', verdict };
  } catch (error) {
    return unscoredFrom(error, clock.current, input.stop.aborted);
  }
}

async function goThrough(
  services: TrialServices,
  given: AttemptInput,
  {
    person,
    clock,
    facts,
  }: { readonly person: Person; readonly clock: PhaseClock; readonly facts: TrialFacts },
) {
  const { stop } = given;
  const image = await clock.run('build', () => services.images.taskImage(given.task, stop));
  const input = { ...given, harness: withShell(given.harness, person.shell(image)) };
  const limits = grantLimits(input.task, services.host);
  await using packages = services.packages?.begin(packageNeed(services, input, { image, limits }));
  const models = needsGateway(input.harness, input.task)
    ? await clock.run('start', () => openModelAccess(services, input))
    : undefined;
  await using _models = models?.access;
  const bindings = agentBindings(input, image, models);
  const injection = await planInjection(services, input, { image, values: bindings.values });
  const made = { image, limits, harnessVolume: undefined, injection, bindings, clock, facts };
  const { container, lease } = await prepareAgent(services, input, {
    ...made,
    network: models?.network.name,
    stdin: person.stdin,
  });
  await using _agent = lease;
  const scene = { image, limits, skillFiles: facts.attestation.before?.skillFiles ?? [] };
  const exit = await clock.run('agent', () => letWork(container, { person, scene, stop }));
  stop.throwIfAborted();
  person.ended(exit);
  const injected = new Set(injection.entries.map(({ path }) => `/${path}`));
  const look = () => lookAgain(input, { container, image, limits, injection, facts });
  const kept = await packages?.packages;
  const work = { image, limits, container, injected, lease, facts, clock, packages: kept, lookAgain: look };
  return await verifyWork(services, input, work);
}

async function letWork(
  container: Container,
  from: { readonly person: Person; readonly scene: TryScene; readonly stop: AbortSignal },
): Promise<MainExit> {
  const { person, scene, stop: signal } = from;
  using _seat = person.sitDown(scene);
  const limits = { timeoutMs: Number.POSITIVE_INFINITY, graceMs: AGENT_GRACE_MS, signal };
  return await container.runTerminal({ ...person.terminal, ...limits });
}

/** A harness of which nothing but its folders of Skills is left: settings and variables of its program may ask for a model. */
export function skillFoldersOf({ manifest, ...rest }: Harness): Harness {
  const { protocol: _protocol, special: _special, ...kept } = manifest;
  return { ...rest, manifest: { ...kept, env: {}, files: [], bundle: false } };
}

function withShell({ manifest, ...rest }: Harness, shell: readonly string[]): Harness {
  return { ...rest, manifest: { ...manifest, command: [...shell] } };
}
