import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Experiment } from '../../../src/model/experiment.ts';
import type { Discovery } from '../../../src/model/harness.ts';
import { TaskId } from '../../../src/model/ids.ts';
import type { Project } from '../../../src/model/project.ts';
import type { BundleEntry, Skill } from '../../../src/model/skill.ts';
import type { Task } from '../../../src/model/task.ts';

/** Path -> text; `-> target` makes a link, a path with a trailing slash an empty folder, `*` after it a run bit. */
export type Files = Readonly<Record<string, string>>;

const NO_DIGEST = `sha256:${'0'.repeat(64)}`;

export function sha256(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

/** A temporary folder that goes with its owner. */
export async function temporaryFolder(): Promise<{ readonly path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), 'skillpair-image-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

export async function writeFiles(folder: string, files: Files): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name.replace(/\*$/, ''));
    await mkdir(name.endsWith('/') ? path : dirname(path), { recursive: true });
    if (name.endsWith('/')) continue;
    if (text.startsWith('-> ')) await symlink(text.slice(3), path);
    else {
      await writeFile(path, text);
      await chmod(path, name.endsWith('*') ? 0o755 : 0o644);
    }
  }
}

export function madeSkill(name: string, files: Files): Skill {
  const entries = Object.entries(files).map(
    ([path, text]): BundleEntry => ({
      path,
      kind: 'file',
      mode: 0o644,
      size: Buffer.byteLength(text),
      digest: sha256(text),
      hostPath: `/nowhere/${name}/${path}`,
    }),
  );
  return {
    name,
    title: name,
    description: name,
    dir: `/nowhere/${name}`,
    digest: sha256(JSON.stringify(files)),
    entries,
  };
}

export function madeTask(id: string, contextDir: string, more: Partial<Task> = {}): Task {
  return {
    id: TaskId.parse(id),
    dir: dirname(contextDir),
    format: 'harbor',
    digest: NO_DIGEST,
    instruction: 'Do it.',
    metadata: { title: id, domain: 'd', capability: 'c', difficulty: 'core', tags: [] },
    environment: {
      contextDir,
      dockerfile: 'Dockerfile',
      buildTimeoutMs: 120_000,
      cpus: 1,
      memoryBytes: 512 * 1024 * 1024,
      pids: 256,
      network: 'none',
      allowHosts: [],
      env: {},
      skillsPath: 'skills',
    },
    agent: { timeoutMs: 60_000 },
    verifier: {
      kind: 'script',
      testsDir: '/nowhere',
      timeoutMs: 60_000,
      network: 'none',
      isolation: 'snapshot',
      outputs: [],
      env: {},
      skipped: 'allow',
    },
    skills: [],
    looseSkillFiles: [],
    ...more,
  };
}

/** Folders of three well-known harnesses, as an example of what a project knows. */
export const DISCOVERY: Discovery = {
  home: ['.claude/skills', '.codex/skills', '.agents/skills'],
  project: ['.claude/skills', '.agents/skills'],
  system: ['/etc/claude-code/.claude/skills'],
};

export function madeProject(images: Partial<Experiment['images']>, more: Partial<Project> = {}): Project {
  const experiment = Experiment.parse({
    schemaVersion: 1,
    name: 'made',
    configurations: [{ harness: 'nop' }],
    images,
  });
  return {
    experimentPath: '/nowhere/experiment.yaml',
    experiment,
    tasks: [],
    configurations: [],
    harnesses: new Map(),
    discovery: DISCOVERY,
    verifiersDir: '/nowhere/verifiers',
    verifiersDigest: NO_DIGEST,
    problems: [],
    ...more,
  };
}
