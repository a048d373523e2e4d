import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { HOME } from '../version.ts';
import type { TaskFacts } from './task-facts.ts';

/** A small piece of work, whole: what every new task starts from. */
const TEMPLATE = join(HOME, 'templates', 'task');
/** Folder in the template that gets the Skill's name. */
const SKILL_FOLDER = join('skills', 'SKILL');
/** The only files of the template in which facts stand. */
const FILLED = new Set(['task.yaml', join(SKILL_FOLDER, 'SKILL.md')]);

/**
 * Writes a task's folder whole or not at all: beside its place first, then renamed. Returns the paths of its files from the folder on. Rejects
 * with the file system's error, also where something stands in its place.
 */
export async function writeSkeleton(dir: string, facts: TaskFacts): Promise<readonly string[]> {
  const beside = join(dirname(dir), `.new-${randomBytes(6).toString('hex')}`);
  try {
    const written = [];
    for (const path of await templateFiles()) {
      const target = path.replace(SKILL_FOLDER, join('skills', facts.skill));
      await writeOne(path, join(beside, target), facts);
      written.push(target);
    }
    await rename(beside, dir);
    return written;
  } catch (error) {
    await rm(beside, { recursive: true, force: true });
    throw error;
  }
}

async function templateFiles(): Promise<string[]> {
  const entries = await readdir(TEMPLATE, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(TEMPLATE, join(entry.parentPath, entry.name)))
    .sort();
}

async function writeOne(path: string, target: string, facts: TaskFacts): Promise<void> {
  const source = join(TEMPLATE, path);
  const text = await readFile(source, 'utf8');
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, FILLED.has(path) ? filled(text, facts) : text);
  if (((await stat(source)).mode & 0o100) !== 0) await chmod(target, 0o755);
}

/** Facts as YAML has them: a JSON string is one, and plain where it can be. */
function filled(text: string, facts: TaskFacts): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_all, name: keyof TaskFacts) => yamlText(facts[name]));
}

function yamlText(text: string): string {
  return /^[A-Za-z][A-Za-z0-9 -]*[A-Za-z]$/.test(text) && !YAML_WORDS.test(text)
    ? text
    : JSON.stringify(text);
}

/** Plain, these would be something else than text. */
const YAML_WORDS = /^(true|false|null|yes|no|on|off)$/i;
