import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

/** The project's root: what the tests here read is the project's own content. */
export const ROOT = join(import.meta.dirname, '../../..');

/** The part of a task.yaml that these tests look at; the loader checks the whole. */
const TaskYaml = z.object({
  title: z.string(),
  domain: z.string(),
  tags: z.array(z.string()).default([]),
  skills: z.array(z.string()).default([]),
  verifier: z.object({ isolation: z.string().default('outputs'), outputs: z.array(z.string()) }),
});

/** A native task as its folder has it. */
export interface TaskContent {
  readonly id: string;
  readonly dir: string;
  readonly file: z.infer<typeof TaskYaml>;
  readonly instruction: string;
  readonly skillDirs: readonly string[];
}

/** A Skill as its folder has it. */
export interface SkillContent {
  readonly name: string;
  readonly dir: string;
  /** SKILL.md, whole. */
  readonly text: string;
  readonly description: string;
  /** Ids of the tasks that name it. */
  readonly servedTasks: readonly string[];
  /** Lies in the folder of a task with the tag `distractors`: a sound Skill that the task does not need. */
  readonly isDistractor: boolean;
}

function folders(dir: string): string[] {
  return readdirSync(dir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

function readTask(id: string): TaskContent {
  const dir = join(ROOT, 'tasks', id);
  const file = TaskYaml.parse(parse(readFileSync(join(dir, 'task.yaml'), 'utf8')));
  const instruction = readFileSync(join(dir, 'instruction.md'), 'utf8');
  const skillDirs = file.skills.map((name) => {
    const own = join(dir, 'skills', name);
    return existsSync(own) ? own : join(ROOT, 'skills', name);
  });
  return { id, dir, file, instruction, skillDirs };
}

function readSkill(dir: string, tasks: readonly TaskContent[]): SkillContent {
  const text = readFileSync(join(dir, 'SKILL.md'), 'utf8');
  const head = z
    .object({ name: z.string(), description: z.string() })
    .parse(parse(text.split(/^---$/m)[1] ?? ''));
  const naming = tasks.filter((task) => task.skillDirs.includes(dir));
  const isDistractor = naming.some(
    (task) => dir.startsWith(join(task.dir, 'skills')) && task.file.tags.includes('distractors'),
  );
  return { ...head, dir, text, servedTasks: naming.map((task) => task.id), isDistractor };
}

/** All native tasks of the project. */
export const TASKS: readonly TaskContent[] = folders(join(ROOT, 'tasks')).map(readTask);

/** All Skills: the shared library's and those inside tasks. */
export const SKILLS: readonly SkillContent[] = [
  ...folders(join(ROOT, 'skills')).map((name) => join(ROOT, 'skills', name)),
  ...TASKS.filter((task) => existsSync(join(task.dir, 'skills'))).flatMap((task) =>
    folders(join(task.dir, 'skills')).map((name) => join(task.dir, 'skills', name)),
  ),
].map((dir) => readSkill(dir, TASKS));

/** Paths of all files below a folder. */
export function filesBelow(dir: string): string[] {
  return readdirSync(dir, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('__pycache__'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** The path behind a line ``- Input: `…` `` or ``- Output: `…` `` of an instruction; the empty text if there is none. */
export function pathAfter(label: 'Input' | 'Output', instruction: string): string {
  return new RegExp(`^- ${label}: \`([^\`]+)\`$`, 'm').exec(instruction)?.[1] ?? '';
}

/** The ```sh blocks of a Markdown text. */
export function commandBlocks(markdown: string): string[] {
  return [...markdown.matchAll(/^```sh\n(.*?)^```$/gms)].map((match) => match[1] ?? '');
}
