import type { Container } from '../engine/engine.ts';
import type { TaskImage } from '../image/image-store.ts';
import type { Limits } from '../model/attempt.ts';
import { Fault } from '../model/fault.ts';
import { attest } from './attest.ts';
import { type AgentBindings, type AgentFrom, agentSpec } from './container-specs.ts';
import { type Injection, inject } from './inject.ts';
import type { PhaseClock } from './phase-clock.ts';
import { releasing } from './release.ts';
import type { AttemptInput, TrialServices } from './trial-context.ts';
import type { TrialFacts } from './trial-facts.ts';

/** A created container that holds what its condition says. `lease` removes it. */
export interface ReadyAgent {
  readonly container: Container;
  readonly lease: AsyncDisposable;
}

/** Creates the agent's container, puts in what belongs there, and attests it. One that does not hold what it should is removed. */
export async function prepareAgent(
  services: TrialServices,
  input: AttemptInput,
  from: {
    readonly image: TaskImage;
    readonly limits: Limits;
    readonly harnessVolume: string | undefined;
    readonly injection: Injection;
    readonly bindings: AgentBindings;
    readonly network: string | undefined;
    readonly stdin?: AgentFrom['stdin'];
    readonly clock: PhaseClock;
    readonly facts: TrialFacts;
  },
): Promise<ReadyAgent> {
  const { stop } = input;
  const { image, injection, clock, facts } = from;
  const spec = agentSpec(services, input, { ...from, image: image.id });
  const container = await clock.run('start', () => services.engine.createContainer(spec, stop));
  await using stack = new AsyncDisposableStack();
  const lease = stack.use(releasing(container, input.leftBehind));
  await clock.run('inject', () => inject(container, injection, stop));
  await clock.run('check', async () => {
    const changes = await container.changes(stop);
    facts.attestation.before = await attest(container, { ...injection, changes }, stop);
  });
  refuseViolations(facts.attestation.before?.violations ?? []);
  stack.move();
  return { container, lease };
}

function refuseViolations(violations: readonly string[]): void {
  if (violations.length === 0) return;
  const shown = violations.slice(0, 5).join('; ');
  throw new Fault(
    'condition-violated',
    'check',
    `the container does not hold what its condition says: ${shown}`,
  );
}
