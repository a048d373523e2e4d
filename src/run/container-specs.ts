import { digestBytes, shortDigest } from '../base/digest.ts';
import type { ContainerSpec, ImageId, VolumeMount } from '../engine/engine.ts';
import type { Limits } from '../model/attempt.ts';
import type { NetworkPolicy } from '../model/task.ts';
import type { AttemptInput, TrialServices } from './trial-context.ts';

/** Container path of the instruction, for every harness. */
export const INSTRUCTION_PATH = '/opt/skillpair/trial/instruction.md';
/** Where the verifier bundle is mounted, in the verifier's container only. */
export const VERIFIER_PATH = '/opt/skillpair/verifier';

/** Container path of a harness bundle. */
export function harnessPath(id: string): string {
  return `/opt/skillpair/harness/${id}`;
}

/** The labels of every engine object that an attempt makes: enough to find, attribute and sweep it. */
export function attemptLabels(
  services: TrialServices,
  input: AttemptInput,
  kind: string,
): Record<string, string> {
  return {
    'skillpair.managed': '1',
    'skillpair.kind': kind,
    'skillpair.run': services.run,
    'skillpair.trial': input.trial.id,
    'skillpair.attempt': String(input.attempt),
    'skillpair.owner-pid': String(services.owner.pid),
    'skillpair.owner-host': services.owner.host,
  };
}

/** A name that people can read and the engine accepts, unique to this attempt and role. */
function containerName(services: TrialServices, input: AttemptInput, role: string): string {
  const unique = shortDigest(digestBytes(`${services.run}\n${input.trial.id}`));
  return `skillpair-${services.run.slice(0, 40)}-${unique}-${input.attempt}-${role}`;
}

function networkName(policy: NetworkPolicy): string {
  return policy === 'none' ? 'none' : 'bridge';
}

function common(services: TrialServices, input: AttemptInput, limits: Limits, role: 'agent' | 'verifier') {
  return {
    name: containerName(services, input, role),
    labels: attemptLabels(services, input, role),
    cpus: limits.cpus.granted,
    memoryBytes: limits.memoryBytes.granted,
    pids: limits.pids.granted,
  };
}

/** The agent's container: task image, the harness bundle read-only, the environment that task and configuration declare. */
export function agentSpec(
  services: TrialServices,
  input: AttemptInput,
  from: { image: ImageId; limits: Limits; harnessVolume: string | undefined; env?: Record<string, string> },
): ContainerSpec {
  const { harness, task, configuration } = input;
  const { id, command, env } = harness.manifest;
  const mounts: VolumeMount[] =
    from.harnessVolume === undefined
      ? []
      : [{ volume: from.harnessVolume, target: harnessPath(id), readOnly: true, noCopy: true }];
  return {
    ...common(services, input, from.limits, 'agent'),
    image: from.image,
    command: command.map((part) => part.replaceAll('{instruction}', INSTRUCTION_PATH)),
    ...(task.agent.user === undefined ? {} : { user: task.agent.user }),
    env: { ...task.environment.env, ...env, ...configuration.env, ...from.env },
    network: networkName(task.environment.network),
    mounts,
  };
}

/** The verifier's container: never the agent's, with an environment of its own. */
export function verifierSpec(
  services: TrialServices,
  input: AttemptInput,
  from: { image: ImageId; limits: Limits; verifierVolume: string | undefined; nonce: string },
): ContainerSpec {
  const { verifier } = input.task;
  const base = {
    ...common(services, input, from.limits, 'verifier'),
    image: from.image,
    network: networkName(verifier.network),
  };
  if (verifier.kind === 'script') {
    return { ...base, command: ['bash', '/tests/test.sh'], env: verifier.env, mounts: [] };
  }
  const volume = from.verifierVolume === undefined ? {} : { volume: from.verifierVolume };
  return {
    ...base,
    command: ['/bin/sh', `${VERIFIER_PATH}/run-pytest.sh`],
    entrypoint: [],
    user: '0:0',
    env: { ...verifier.env, SKILLPAIR_NONCE: from.nonce },
    mounts: [{ ...volume, target: VERIFIER_PATH, readOnly: true, noCopy: true }],
  };
}
