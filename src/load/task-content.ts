import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { inBatches } from '../base/in-batches.ts';
import type { Skill } from '../model/skill.ts';
import type { ContentFile, SkillContent, TaskContent } from '../model/task-content.ts';
import { byPathBytes } from './digest.ts';
import { FileContents } from './file-contents.ts';
import { ALMOST_RIGHT } from './task-folder.ts';

/** Files open at a time. */
const AT_ONCE = 16;

/** What there is to be read of a task, whether or not it can be run. */
export interface ContentSource {
  readonly subject: string;
  readonly dir: string;
  readonly instruction: string;
  readonly skills: readonly { readonly skill: Skill; readonly body: string }[];
}

/**
 * Reads a task folder's tests, solutions, build context and Skills for checks; what cannot be read is left out. `contents`: of
 * whoever loaded the task, so that no file is read twice.
 */
export async function readTaskContent(
  source: ContentSource,
  contents = new FileContents(),
): Promise<TaskContent> {
  const { dir, subject, instruction } = source;
  const repositories: string[] = [];
  const area = async (name: string, skip: ReadonlySet<string> = new Set()) => {
    const walk: Walk = { dir, skip, paths: [], repositories };
    await collect(walk, name);
    return readAll(
      walk.paths.map((path) => ({ path, hostPath: join(dir, path) })),
      contents,
    );
  };
  return {
    subject,
    dir,
    instruction,
    tests: await area('tests'),
    solution: await area('solution'),
    almostRight: await area(ALMOST_RIGHT),
    context: await area('environment', new Set(['environment/skills'])),
    repositories,
    skills: await inBatches(source.skills, 1, async ({ skill, body }): Promise<SkillContent> => {
      const files = skill.entries.filter(({ kind }) => kind === 'file');
      return { skill, body, files: await readAll(files, contents) };
    }),
  };
}

interface Walk {
  readonly dir: string;
  readonly skip: ReadonlySet<string>;
  readonly paths: string[];
  readonly repositories: string[];
}

async function collect(walk: Walk, folder: string): Promise<void> {
  const found = await readdir(join(walk.dir, folder), { withFileTypes: true }).catch(() => []);
  // Also a bare one, which has another name.
  const isRepository =
    folder.endsWith('/.git') ||
    ['HEAD', 'objects', 'refs'].every((name) => found.some((item) => item.name === name));
  if (isRepository) {
    walk.repositories.push(folder);
    return;
  }
  for (const item of found) {
    const path = `${folder}/${item.name}`;
    if (walk.skip.has(path)) continue;
    if (item.isDirectory()) await collect(walk, path);
    else if (item.isFile()) walk.paths.push(path);
  }
}

type Named = Pick<ContentFile, 'path' | 'hostPath'> & { readonly size?: number };

async function readAll(named: readonly Named[], contents: FileContents): Promise<ContentFile[]> {
  const files = await inBatches(named, AT_ONCE, (file) => readOne(file, contents));
  return files.filter((file) => file !== undefined).toSorted(byPathBytes);
}

async function readOne(file: Named, contents: FileContents): Promise<ContentFile | undefined> {
  const { path, hostPath, size } = file;
  try {
    return { path, hostPath, ...(await contents.read(hostPath, size)) };
  } catch {
    return undefined; // Told by the loader or by the look at the build context, which need the file.
  }
}
