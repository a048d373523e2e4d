import { posix } from 'node:path';
import { packTar, type TarEntry } from '../engine/archive.ts';
import type { Container } from '../engine/engine.ts';
import { agentVariables, imageVariables, type Variables } from '../image/agent-environment.ts';
import { discoveryFolders, homesOf } from '../image/discovery-folders.ts';
import type { TaskImage } from '../image/image-store.ts';
import { Fault } from '../model/fault.ts';
import type { HarnessManifest } from '../model/harness.ts';
import type { ConditionName } from '../model/ids.ts';
import { fillPlaceholders, type PlaceholderValues } from '../model/placeholders.ts';
import type { Expected } from './attest.ts';
import { INSTRUCTION_PATH } from './container-specs.ts';
import { hostFolder } from './host-folder.ts';
import { missingParents, type Owner, placedTar, placeSkills, type SkillFolder } from './placement.ts';
import type { AttemptInput, TrialServices } from './trial-context.ts';
import { type AgentUser, agentUser } from './users.ts';

const ROOT: Owner = { uid: 0, gid: 0 };

/** What an attempt's container must hold beyond its image: what is put, and what attestation will ask for. */
export interface Injection extends Expected {
  readonly entries: readonly TarEntry[];
}

/** Works out one deterministic tar: instruction, solution for the oracle, and in a condition with Skills the bundles. */
export async function planInjection(
  services: TrialServices,
  input: AttemptInput,
  from: { readonly image: TaskImage; readonly values: PlaceholderValues },
): Promise<Injection> {
  const { image } = from;
  const user = userOf(input, image);
  const settings = settingsFiles(input.harness.manifest, from.values);
  const folders = withSkills(input.trial.condition) ? skillFolders(input, image, user.home) : [];
  const placed = placeSkills(folders, input.task.skills, input.task.looseSkillFiles);
  refuseEmptyTreatment(input, placed.length);
  const parents = missingParents(
    [
      ...placed.map((entry) => entry.containerPath),
      ...folders.map(({ dir }) => posix.join(dir, 'x')),
      ...settings.map(({ path }) => path),
    ],
    (path) => image.index.resolve(path) !== undefined,
  );
  return {
    discoveryFolders: discoveryFolders({
      discovery: services.discovery,
      homes: homesOf(image.index),
      workingDir: image.info.workingDir,
      environments: [variablesOf(input, image)],
    }),
    targets: folders.map(({ dir }) => dir),
    placed,
    entries: [
      ...instructionEntries(input),
      ...(await solutionEntries(input)),
      ...placedTar(placed, parents, user),
      ...settings.map((file) => settingsEntry(file, user)),
    ],
  };
}

/** The agent's account, with the home that its variables name. */
export function userOf(input: AttemptInput, image: TaskImage): AgentUser {
  return agentUser(image, input.task.agent.user, variablesOf(input, image));
}

function variablesOf(input: AttemptInput, image: TaskImage): Variables {
  return { ...imageVariables(image.info.env), ...agentVariables(input) };
}

/** Puts the tar into a created container. */
export async function inject(container: Container, injection: Injection, signal: AbortSignal): Promise<void> {
  await container.put(() => packTar(injection.entries), '/', signal);
}

/** An arm with Skills into which none can be put would be the other arm under a wrong name. */
function refuseEmptyTreatment({ trial, task, harness }: AttemptInput, placed: number): void {
  if (!withSkills(trial.condition) || task.skills.length === 0 || placed > 0) return;
  const { id } = harness.manifest;
  throw new Fault('condition-violated', 'inject', `harness ${id} names no folder in which it finds Skills`);
}

function withSkills(condition: ConditionName): boolean {
  return condition === 'with-skills';
}

/** Every folder in which this harness finds Skills. For the oracle: where the task's own Dockerfile would have copied them. */
function skillFolders(input: AttemptInput, image: TaskImage, home: string): SkillFolder[] {
  const { manifest } = input.harness;
  if (manifest.special === 'oracle' && image.skillTargets.length > 0) {
    return image.skillTargets.map(({ containerPath, source }) => ({ dir: containerPath, subPath: source }));
  }
  const { workingDir } = image.info;
  const dirs = [
    ...manifest.discovery.home.map((folder) => posix.join(home, folder)),
    ...manifest.discovery.project.map((folder) => posix.join(workingDir, folder)),
    ...manifest.discovery.system,
  ];
  return [...new Set(dirs)].sort().map((dir) => ({ dir, subPath: '' }));
}

/** The harness's own settings, with what stands for this attempt filled in. */
function settingsFiles({ files }: HarnessManifest, values: PlaceholderValues) {
  return files.map(({ path, content }) => ({
    path: posix.normalize(fillPlaceholders(path, values)),
    content: fillPlaceholders(content, values),
  }));
}

/** Only the agent's user reads it: it may hold the attempt's token. */
function settingsEntry({ path, content }: { path: string; content: string }, user: Owner): TarEntry {
  const bytes = new TextEncoder().encode(content);
  return { path: path.slice(1), kind: 'file', mode: 0o600, ...user, content: bytes };
}

function instructionEntries(input: AttemptInput): TarEntry[] {
  const dir = posix.dirname(INSTRUCTION_PATH);
  return [
    ...['/opt/skillpair', dir].map(
      (path): TarEntry => ({ path: path.slice(1), kind: 'folder', mode: 0o755, ...ROOT }),
    ),
    {
      path: INSTRUCTION_PATH.slice(1),
      kind: 'file',
      mode: 0o644,
      ...ROOT,
      content: new TextEncoder().encode(input.task.instruction),
    },
  ];
}

async function solutionEntries(input: AttemptInput): Promise<TarEntry[]> {
  const { solution } = input.task;
  if (input.harness.manifest.special !== 'oracle' || solution === undefined) return [];
  return hostFolder(solution.dir, 'solution');
}
