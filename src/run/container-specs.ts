import { digestBytes, shortDigest } from '../base/digest.ts';
import {
  type ContainerSpec,
  type ImageId,
  type ImageInfo,
  LABEL,
  ownerLabels,
  type VolumeMount,
} from '../engine/engine.ts';
import { agentVariables, imageVariables } from '../image/agent-environment.ts';
import type { Limits } from '../model/attempt.ts';
import { fillPlaceholders, type PlaceholderValues } from '../model/placeholders.ts';
import type { AgentNetworkPolicy } from '../model/task.ts';
import { PROXY_VARIABLES } from './model-access.ts';
import type { AttemptInput, TrialServices } from './trial-context.ts';

/** Container path of the instruction, for every harness. */
export const INSTRUCTION_PATH = '/opt/skillpair/trial/instruction.md';
/** Where the verifier bundle is mounted, in the verifier's container only. */
export const VERIFIER_PATH = '/opt/skillpair/verifier';

const ROOT_USER = '0:0';

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
    [LABEL.managed]: '1',
    [LABEL.kind]: kind,
    [LABEL.run]: services.run,
    [LABEL.trial]: input.trial.id,
    [LABEL.attempt]: String(input.attempt),
    ...ownerLabels(services.owner),
  };
}

/** A name that people can read and the engine accepts, unique to this attempt and role. */
function containerName(services: TrialServices, input: AttemptInput, role: string): string {
  const unique = shortDigest(digestBytes(`${services.run}\n${input.trial.id}`));
  return `skillpair-${services.run.slice(0, 40)}-${unique}-${input.attempt}-${role}`;
}

/** Without the gateway's networks: `allowlist` is never without them. */
function networkName(policy: AgentNetworkPolicy): string {
  return policy === 'internet' ? 'bridge' : 'none';
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

/** What the agent's variables are in this attempt: as declared, with what stands for the attempt filled in, and the way out. */
function agentEnv(input: AttemptInput, { values, proxyEnv }: AgentBindings): Record<string, string> {
  const own = new Set(
    [input.harness.manifest.env, input.configuration.env].flatMap((table) => Object.keys(table)),
  );
  const declared = Object.entries(agentVariables(input)).map(([name, value]) => [
    name,
    own.has(name) ? fillPlaceholders(value, values) : value,
  ]);
  return { ...proxyEnv, ...Object.fromEntries(declared) };
}

/** How an agent finds what belongs to its attempt alone. */
export interface AgentBindings {
  readonly values: PlaceholderValues;
  /** Variables that lead its programs through the gateway's proxy. */
  readonly proxyEnv: Readonly<Record<string, string>>;
}

/** What an agent's container is made from. */
export interface AgentFrom {
  readonly image: ImageId;
  readonly limits: Limits;
  readonly harnessVolume: string | undefined;
  readonly bindings: AgentBindings;
  /** Absent: the engine's own, by the task's policy. */
  readonly network?: string | undefined;
  /** For somebody in the agent's place. */
  readonly stdin?: ContainerSpec['stdin'];
}

/** The agent's container: task image, the harness bundle read-only, the environment that task and configuration declare. */
export function agentSpec(services: TrialServices, input: AttemptInput, from: AgentFrom): ContainerSpec {
  const { harness, task } = input;
  const { id, command } = harness.manifest;
  const mounts: VolumeMount[] =
    from.harnessVolume === undefined
      ? []
      : [{ volume: from.harnessVolume, target: harnessPath(id), readOnly: true, noCopy: true }];
  return {
    ...common(services, input, from.limits, 'agent'),
    image: from.image,
    command: command.map((part) => fillPlaceholders(part, from.bindings.values)),
    ...(task.agent.user === undefined ? {} : { user: task.agent.user }),
    env: agentEnv(input, from.bindings),
    network: from.network ?? networkName(task.environment.network),
    mounts,
    ...(from.stdin === undefined ? {} : { stdin: from.stdin }),
  };
}

/** What a verifier's container is made from. */
export interface VerifierFrom {
  /** The task image, or a snapshot of the agent's container. */
  readonly image: ImageId;
  /** Of the task image: a snapshot carries the agent's user and environment instead. */
  readonly pristine: Pick<ImageInfo, 'user' | 'env'>;
  readonly limits: Limits;
  readonly verifierVolume: string | undefined;
  /** Of this attempt: a report without it is somebody else's. */
  readonly nonce: string;
  /** Variables beside those that task and verifier declare. */
  readonly env?: Readonly<Record<string, string>>;
}

/** The verifier's container: never the agent's, and with nothing of the agent's user or environment. */
export function verifierSpec(
  services: TrialServices,
  input: AttemptInput,
  from: VerifierFrom,
): ContainerSpec {
  const { verifier, format, environment } = input.task;
  const base = {
    ...common(services, input, from.limits, 'verifier'),
    image: from.image,
    network: networkName(verifier.network),
  };
  const env = { ...withoutAgent(input, from.pristine), ...environment.env, ...verifier.env, ...from.env };
  if (verifier.kind === 'script') {
    const user = format === 'native' ? ROOT_USER : from.pristine.user || ROOT_USER;
    return { ...base, command: ['bash', '/tests/test.sh'], user, env, mounts: [] };
  }
  const volume = from.verifierVolume === undefined ? {} : { volume: from.verifierVolume };
  return {
    ...base,
    command: ['/bin/sh', `${VERIFIER_PATH}/run-pytest.sh`],
    entrypoint: [],
    user: ROOT_USER,
    env: { ...env, SKILLPAIR_NONCE: from.nonce },
    mounts: [{ ...volume, target: VERIFIER_PATH, readOnly: true, noCopy: true }],
  };
}

/** Variables that only the agent had, taken away; those it had another way, put back. */
function withoutAgent(input: AttemptInput, { env }: Pick<ImageInfo, 'env'>): Record<string, string | null> {
  const pristine = imageVariables(env);
  const proxy = input.task.environment.network === 'allowlist' ? PROXY_VARIABLES : [];
  const names = [...Object.keys(agentVariables(input)), ...proxy];
  return Object.fromEntries(names.map((name) => [name, pristine[name] ?? null]));
}
