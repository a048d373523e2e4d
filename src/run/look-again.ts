import type { Container, PathChange } from '../engine/engine.ts';
import type { TaskImage } from '../image/image-store.ts';
import { attest } from './attest.ts';
import type { Injection } from './inject.ts';
import type { GrantedLimits } from './limits.ts';
import { listChanges } from './list-changes.ts';
import type { AttemptInput } from './trial-context.ts';
import type { TrialFacts } from './trial-facts.ts';

/** Attests an agent's stopped container a second time, for the record, and tells all that it holds otherwise than its image. */
export async function lookAgain(
  { stop, notice }: Pick<AttemptInput, 'stop' | 'notice'>,
  of: {
    readonly container: Container;
    readonly image: Pick<TaskImage, 'index' | 'info'>;
    readonly limits: Pick<GrantedLimits, 'storageBytes'>;
    readonly injection: Injection;
    readonly facts: TrialFacts;
  },
): Promise<readonly PathChange[]> {
  const { container, image, limits, injection, facts } = of;
  const from = { index: image.index, volumes: image.info.volumes, notice };
  const changes = await listChanges(container, { ...from, limitBytes: limits.storageBytes.granted }, stop);
  facts.attestation.after = await attest(container, { ...injection, changes }, stop);
  return changes;
}
