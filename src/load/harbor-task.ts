import { join } from 'node:path';
import { TaskId } from '../model/ids.ts';
import { hasErrors, type Problem } from '../model/problem.ts';
import { type Task, type TaskEnvironment, type TaskMetadata, TimeEstimates } from '../model/task.ts';
import { parseByteSize } from './byte-size.ts';
import { checkComposeFile } from './compose-file.ts';
import { HarborFile } from './harbor-file.ts';
import { checkHarborSupport } from './harbor-support.ts';
import { resolveHostVariables } from './host-variables.ts';
import type { LocatedFile } from './located-file.ts';
import { isFolder } from './read-text.ts';
import { loadSkillFolder, type SkillFolder } from './skills.ts';
import { checkTaskName, isReadable, readTaskFolder, solutionsIn, taskDigest } from './task-folder.ts';
import type { LoadedTask, TaskSource } from './task-source.ts';
import { readTomlFile } from './toml-file.ts';

/** Name of the task file of the SkillsBench / Harbor format. */
export const HARBOR_FILE = 'task.toml';
/** Where that format keeps its Skills, in the build context. */
const SKILLS_PATH = 'skills';

const MEBIBYTE = 1024 ** 2;
/** The format's own defaults, where a task says nothing. */
const DEFAULT_MEMORY = 2048 * MEBIBYTE;
const DEFAULT_AGENT_SECONDS = 600;
/** The format has no such limit; this one stops fork bombs and lets compilers and JVMs be. */
const PIDS = 4096;

/** Reads a task of the SkillsBench / Harbor format, unchanged. Never rejects for what is in the folder. */
export async function loadHarborTask(source: TaskSource): Promise<LoadedTask> {
  const { dir } = source;
  const environmentDir = join(dir, 'environment');
  const folder = await readTaskFolder({
    dir,
    declared: { verifier: 'script', dockerfile: 'Dockerfile' },
    dockerfilePlace: undefined,
    needsSolution: source.needsSolution,
  });
  const skills = await loadSkillFolder(join(environmentDir, SKILLS_PATH), source.digestOf);
  const around = [
    ...checkTaskName(source.name, dir),
    ...folder.problems,
    ...(await checkComposeFile(environmentDir)),
    ...skills.problems,
    ...skills.loaded.flatMap((skill) => skill.problems),
  ];
  const skillBodies = new Map(skills.names.map((name, index) => [name, skills.loaded[index]?.body ?? '']));
  const file = await readTomlFile(join(dir, HARBOR_FILE), HarborFile);
  if (!file.ok) return { skillBodies, problems: [...file.error, ...around] };
  const sizes = readSizes(file.value);
  const env = readEnv(file.value, source.allowEnv);
  const problems = [...checkHarborSupport(file.value), ...sizes.problems, ...env.problems, ...around];
  const { instruction } = folder;
  const make = () => makeTask({ source, file: file.value.value, instruction, skills, sizes, env });
  if (!hasErrors(problems)) return { task: await make(), skillBodies, problems };
  const refused = isReadable(source.name, instruction) ? { refused: await make() } : {};
  return { ...refused, skillBodies, problems };
}

interface Sizes {
  readonly memoryBytes: number;
  readonly storageBytes: number | undefined;
  readonly problems: readonly Problem[];
}

function readSizes(file: LocatedFile<HarborFile>): Sizes {
  const memory = readSize(file, 'memory');
  const storage = readSize(file, 'storage');
  return {
    memoryBytes: memory.bytes ?? DEFAULT_MEMORY,
    storageBytes: storage.bytes,
    problems: [...memory.problems, ...storage.problems],
  };
}

/** `memory_mb = 2048` is the newer form of `memory = "2G"`; where both stand they must agree. */
function readSize(
  file: LocatedFile<HarborFile>,
  key: 'memory' | 'storage',
): { readonly bytes: number | undefined; readonly problems: readonly Problem[] } {
  const { environment } = file.value;
  const megabytes = environment[`${key}_mb`];
  const text = environment[key];
  const fromNumber = megabytes === undefined ? undefined : Math.round(megabytes * MEBIBYTE);
  const fromText = text === undefined ? undefined : parseByteSize(text);
  if (fromNumber === undefined || fromText === undefined || fromNumber === fromText) {
    return { bytes: fromNumber ?? fromText, problems: [] };
  }
  const message = `environment.${key} = "${text}" and environment.${key}_mb = ${megabytes} are not the same size`;
  const where = file.locate(['environment', key]);
  return {
    bytes: fromNumber,
    problems: [{ severity: 'error', message, where, repair: 'keep one of the two' }],
  };
}

interface Environments {
  readonly environment: Record<string, string>;
  readonly verifier: Record<string, string>;
  readonly solution: Record<string, string>;
  readonly problems: readonly Problem[];
}

function readEnv(file: LocatedFile<HarborFile>, allowEnv: Readonly<Record<string, string>>): Environments {
  const of = (table: 'environment' | 'verifier' | 'solution') =>
    resolveHostVariables(file.value[table].env, { path: [table, 'env'], locate: file.locate, allowEnv });
  const [environment, verifier, solution] = [of('environment'), of('verifier'), of('solution')];
  return {
    environment: environment.env,
    verifier: verifier.env,
    solution: solution.env,
    problems: [environment, verifier, solution].flatMap(({ problems }) => problems),
  };
}

/** The format has one network for all phases unless a phase has its own; verifiers install packages, so theirs is the internet. */
function networkMode(file: HarborFile, phase: 'agent' | 'verifier') {
  const { network_mode: common, allow_internet: allowed } = file.environment;
  return file[phase].network_mode ?? common ?? (allowed ? 'public' : 'no-network');
}

function agentNetwork(file: HarborFile): Pick<TaskEnvironment, 'network' | 'allowHosts'> {
  const mode = networkMode(file, 'agent');
  if (mode === 'allowlist') {
    const allowHosts = file.agent.allowed_hosts ?? file.environment.allowed_hosts ?? [];
    return { network: 'allowlist', allowHosts };
  }
  return { network: mode === 'public' ? 'internet' : 'none', allowHosts: [] };
}

function metadataOf(file: HarborFile, name: string): TaskMetadata {
  const { metadata } = file;
  const word = (...keys: readonly string[]) =>
    keys.map((key) => metadata[key]).find((value) => typeof value === 'string' && value !== '');
  const tags = Array.isArray(metadata.tags) ? metadata.tags.map(String) : [];
  return {
    title: String(file.task?.name ?? word('name', 'title') ?? name),
    domain: String(word('domain', 'category') ?? 'other'),
    capability: String(word('capability', 'subcategory', 'category') ?? 'other'),
    difficulty: String(word('difficulty') ?? 'unknown'),
    tags,
    ...estimatesOf(metadata),
  };
}

/** The keys that SkillsBench and Terminal-Bench tasks write; what is no number of minutes says nothing. */
function estimatesOf(metadata: HarborFile['metadata']): Pick<TaskMetadata, 'estimates'> {
  const { expert_time_estimate_min: expertMinutes, junior_time_estimate_min: juniorMinutes } = metadata;
  const estimates = TimeEstimates.safeParse({
    ...(expertMinutes === undefined ? {} : { expertMinutes }),
    ...(juniorMinutes === undefined ? {} : { juniorMinutes }),
  });
  const isSaid = estimates.success && Object.keys(estimates.data).length > 0;
  return isSaid ? { estimates: estimates.data } : {};
}

async function makeTask(input: {
  readonly source: TaskSource;
  readonly file: HarborFile;
  readonly instruction: string;
  readonly skills: SkillFolder;
  readonly sizes: Sizes;
  readonly env: Environments;
}): Promise<Task> {
  const { source, file, skills, sizes, env } = input;
  const { dir } = source;
  const user = file.agent.user;
  const skillsPath = (await isFolder(join(dir, 'environment', SKILLS_PATH))) ? SKILLS_PATH : undefined;
  return {
    id: TaskId.parse(source.name),
    dir,
    format: 'harbor',
    digest: await taskDigest({ ...source, taskFile: HARBOR_FILE, skillsPath, loose: skills.loose }),
    instruction: input.instruction,
    metadata: metadataOf(file, source.name),
    environment: {
      contextDir: join(dir, 'environment'),
      dockerfile: 'Dockerfile',
      buildTimeoutMs: milliseconds(file.environment.build_timeout_sec),
      cpus: file.environment.cpus,
      memoryBytes: sizes.memoryBytes,
      ...(sizes.storageBytes === undefined ? {} : { storageBytes: sizes.storageBytes }),
      pids: PIDS,
      ...agentNetwork(file),
      env: env.environment,
      ...(skillsPath === undefined ? {} : { skillsPath }),
    },
    agent: {
      timeoutMs: milliseconds(file.agent.timeout_sec ?? DEFAULT_AGENT_SECONDS),
      ...(user === undefined ? {} : { user: String(user) }),
    },
    verifier: {
      kind: 'script',
      testsDir: join(dir, 'tests'),
      timeoutMs: milliseconds(file.verifier.timeout_sec),
      network: networkMode(file, 'verifier') === 'public' ? 'internet' : 'none',
      isolation: 'snapshot',
      outputs: [],
      env: env.verifier,
      skipped: 'allow',
    },
    ...(await solutionsIn(dir, env.solution)),
    skills: skills.loaded.flatMap(({ skill }) => (skill === undefined ? [] : [skill])),
    looseSkillFiles: [...skills.loose],
  };
}

function milliseconds(seconds: number): number {
  return Math.max(1, Math.round(seconds * 1000));
}
