import { join } from 'node:path';
import { TaskId } from '../model/ids.ts';
import { hasErrors, type Problem } from '../model/problem.ts';
import type { BundleEntry } from '../model/skill.ts';
import type { Task } from '../model/task.ts';
import { didYouMean } from './did-you-mean.ts';
import { type LocatedFile, valueAt } from './located-file.ts';
import { isFolder } from './read-text.ts';
import { type LoadedSkill, loadSkillFolder } from './skills.ts';
import { TaskFile } from './task-file.ts';
import { checkTaskName, isReadable, readTaskFolder, solutionsIn, taskDigest } from './task-folder.ts';
import type { LoadedTask, TaskSource } from './task-source.ts';
import { readYamlFile } from './yaml-file.ts';

/** Name of the task file of our own format. */
export const NATIVE_FILE = 'task.yaml';

/** Reads a task of our own format. Never rejects for what is in the folder. */
export async function loadNativeTask(source: TaskSource): Promise<LoadedTask> {
  const { dir } = source;
  const file = await readYamlFile(join(dir, NATIVE_FILE), TaskFile);
  if (!file.ok) {
    // The rest of the folder is looked at all the same, so that everything is said at once.
    const rest = await folderOf(source, undefined);
    return { skillBodies: new Map(), problems: [...file.error, ...rest.problems] };
  }
  const folder = await folderOf(source, file.value);
  const skills = await namedSkills(source, file.value);
  const problems = [
    ...file.value.problems,
    ...checkOutputs(file.value),
    ...checkHosts(file.value),
    ...folder.problems,
    ...skills.problems,
  ];
  const skillBodies = new Map(
    skills.loaded.flatMap(({ skill, body }) => (skill ? [[skill.name, body]] : [])),
  );
  const { instruction } = folder;
  const make = () => makeTask({ source, file: file.value.value, instruction, skills });
  if (!hasErrors(problems)) return { task: await make(), skillBodies, problems };
  const refused = isReadable(source.name, instruction) ? { refused: await make() } : {};
  return { ...refused, skillBodies, problems };
}

async function folderOf(
  source: TaskSource,
  file: LocatedFile<TaskFile> | undefined,
): Promise<{ instruction: string; problems: Problem[] }> {
  const path = ['environment', 'dockerfile'];
  const writes = file !== undefined && valueAt(file.written, path) !== undefined;
  const folder = await readTaskFolder({
    dir: source.dir,
    declared: file && { verifier: file.value.verifier.kind, dockerfile: file.value.environment.dockerfile },
    dockerfilePlace: writes ? file.locate(path) : undefined,
    needsSolution: source.needsSolution,
  });
  return { ...folder, problems: [...checkTaskName(source.name, source.dir), ...folder.problems] };
}

/** Hosts and policy belong together: one without the other is a slip. */
function checkHosts(file: LocatedFile<TaskFile>): Problem[] {
  const { network, allowHosts } = file.value.environment;
  if ((network === 'allowlist') === allowHosts.length > 0) return [];
  const severity = 'error';
  return network === 'allowlist'
    ? [
        {
          severity,
          message: 'environment.network is "allowlist" and environment.allowHosts names no host',
          where: file.locate(['environment', 'network']),
          repair:
            'list the hosts, such as allowHosts: [example.org, "*.example.com"], or write "network: none"',
        },
      ]
    : [
        {
          severity,
          message: `environment.allowHosts has no effect with network "${network}"`,
          where: file.locate(['environment', 'allowHosts']),
          repair: 'write "network: allowlist", or remove the hosts',
        },
      ];
}

/** With isolation `outputs` the verifier sees nothing of the agent's work but the outputs. */
function checkOutputs(file: LocatedFile<TaskFile>): Problem[] {
  const { isolation, outputs } = file.value.verifier;
  if (isolation !== 'outputs' || outputs.length > 0) return [];
  const written = valueAt(file.written, ['verifier', 'outputs']) !== undefined;
  return [
    {
      severity: 'error',
      message:
        'verifier.outputs is empty: with isolation "outputs" the verifier would see nothing of the agent\'s work',
      where: file.locate(written ? ['verifier', 'outputs'] : ['verifier'], 'key'),
      repair:
        'list the container paths that the agent writes, such as [/workspace/out], or use "isolation: snapshot"',
    },
  ];
}

interface NamedSkills {
  readonly loaded: readonly LoadedSkill[];
  readonly loose: readonly BundleEntry[];
  readonly problems: readonly Problem[];
}

/** A bundle inside the task wins over the one of that name in the library. */
async function namedSkills(source: TaskSource, file: LocatedFile<TaskFile>): Promise<NamedSkills> {
  const own = await loadOwn(source);
  const loaded: LoadedSkill[] = [];
  const problems: Problem[] = [...own.problems];
  for (const [index, name] of file.value.skills.entries()) {
    const where = file.locate(['skills', index]);
    if (file.value.skills.indexOf(name) !== index) {
      problems.push({
        severity: 'error',
        message: `the Skill "${name}" stands twice`,
        where,
        repair: 'keep one',
      });
      continue;
    }
    const skill = own.byName.get(name) ?? (await source.library.load(name, source.digestOf));
    if (skill === undefined && source.isLibraryMissing) continue;
    if (skill === undefined) {
      const known = [...own.byName.keys(), ...(await source.library.names())];
      const message = `there is no Skill "${name}", neither in the task's skills/ nor in ${source.library.dir}`;
      problems.push({ severity: 'error', message, where, repair: absentRepair(name, known) });
      continue;
    }
    loaded.push(skill);
    problems.push(...skill.problems);
  }
  problems.push(...unnamed(own.byName, file));
  return { loaded, loose: own.loose, problems };
}

function absentRepair(name: string, known: readonly string[]): string {
  return known.length === 0 ? `write skills/${name}/SKILL.md` : didYouMean(name, known);
}

async function loadOwn({ dir, digestOf }: TaskSource) {
  const folder = await loadSkillFolder(join(dir, 'skills'), digestOf);
  const byName = new Map(folder.names.map((name, index) => [name, folder.loaded[index] as LoadedSkill]));
  return { byName, loose: folder.loose, problems: folder.problems };
}

function unnamed(own: ReadonlyMap<string, LoadedSkill>, file: LocatedFile<TaskFile>): Problem[] {
  return [...own.keys()]
    .filter((name) => !file.value.skills.includes(name))
    .map((name) => ({
      severity: 'warning',
      message: `skills/${name} is in the task's folder, but the task does not name it: it is not injected`,
      where: file.locate(['skills'], 'key'),
      repair: `add "${name}" to skills, or remove the folder`,
    }));
}

async function makeTask(input: {
  readonly source: TaskSource;
  readonly file: TaskFile;
  readonly instruction: string;
  readonly skills: NamedSkills;
}): Promise<Task> {
  const { source, file, skills } = input;
  const { dir } = source;
  const { environment, verifier, agent } = file;
  const skillsPath = (await isFolder(join(dir, 'environment', 'skills'))) ? 'skills' : undefined;
  const { title, domain, capability, difficulty, tags, estimates } = file;
  return {
    id: TaskId.parse(source.name),
    dir,
    format: 'native',
    digest: await taskDigest({ ...source, taskFile: NATIVE_FILE, skillsPath, loose: skills.loose }),
    instruction: input.instruction,
    metadata: { title, domain, capability, difficulty, tags, ...(estimates && { estimates }) },
    environment: {
      contextDir: join(dir, 'environment'),
      dockerfile: environment.dockerfile,
      buildTimeoutMs: environment.buildTimeout,
      cpus: environment.cpus,
      memoryBytes: environment.memory,
      ...(environment.storage === undefined ? {} : { storageBytes: environment.storage }),
      pids: environment.pids,
      network: environment.network,
      allowHosts: environment.allowHosts,
      env: environment.env,
      ...(skillsPath === undefined ? {} : { skillsPath }),
    },
    agent: { timeoutMs: agent.timeout, user: agent.user },
    verifier: {
      kind: verifier.kind,
      testsDir: join(dir, 'tests'),
      timeoutMs: verifier.timeout,
      network: verifier.network,
      isolation: verifier.isolation,
      outputs: verifier.outputs,
      env: verifier.env,
      skipped: verifier.skipped,
    },
    ...(await solutionsIn(dir, file.solution.env)),
    skills: skills.loaded.flatMap(({ skill }) => (skill === undefined ? [] : [skill])),
    looseSkillFiles: [...skills.loose],
  };
}
