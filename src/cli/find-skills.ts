import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { ok, type Result } from '../base/result.ts';
import { didYouMean } from '../load/did-you-mean.ts';
import { findTasks, type SelectedTask, TASK_KIND } from '../load/find-tasks.ts';
import { namedPlace } from '../load/named-place.ts';
import { bundlesIn, isBundle, SKILL_KIND } from '../load/skill-places.ts';
import { sharedSkillsOfTask } from '../load/skill-users.ts';
import { lookIntoLibrary } from '../load/skills.ts';
import type { Finding } from '../model/finding.ts';
import { InputError, type Problem } from '../model/problem.ts';
import { pathFrom } from '../report/findings-text.ts';
import { libraryBeside } from './library-beside.ts';

/** Skills that were named. */
export interface FoundSkills {
  /** Folders that are Skills, or are meant as such. */
  readonly dirs: readonly string[];
  /** Folders beside them that are none, and Skills that tasks name and that are not there. */
  readonly findings: readonly Finding[];
}

const NOTHING: FoundSkills = { dirs: [], findings: [] };
/** How many names an answer lists. */
const MOST_NAMES = 8;

/**
 * The Skills of what somebody typed, each once: Skills, libraries, tasks and folders of tasks, by folder, file or name. A task stands for those it
 * has and those it names. Throws InputError where something stands for none.
 */
export async function findSkills(cwd: string, named: readonly string[]): Promise<FoundSkills> {
  const problems: Problem[] = [];
  const found: FoundSkills[] = [];
  for (const given of named) {
    const place = await skillPlace(cwd, given);
    const skills = place.ok ? await skillsAt(cwd, place.value) : place;
    if (skills.ok) found.push(skills.value);
    else problems.push(skills.error);
  }
  if (problems.length > 0) throw new InputError(problems);
  return merged(found);
}

/** The one Skill of what somebody typed. Throws InputError where that is none, or more than one. */
export async function findOneSkill(cwd: string, given: string): Promise<string> {
  const { dirs, findings } = await findSkills(cwd, [given]);
  const [only] = dirs;
  if (only !== undefined && dirs.length === 1) return only;
  if (only === undefined) throw new InputError(findings);
  const names = dirs.slice(0, MOST_NAMES).map((dir) => pathFrom(cwd, dir));
  const message = `"${given}" stands for ${dirs.length} Skills`;
  const repair = `name one of them, such as ${names.join(', ')}`;
  throw new InputError([{ severity: 'error', message, repair }]);
}

/** The folder of what somebody typed, in which Skills are looked for. Throws InputError where there is none. */
export async function findSkillFolder(cwd: string, given: string): Promise<string> {
  const place = await skillPlace(cwd, given);
  if (!place.ok) throw new InputError([place.error]);
  return place.value;
}

/** Tasks may be named by their ids too; what is no name of a Skill and of no task is told as a Skill that is not there. */
async function skillPlace(cwd: string, given: string): Promise<Result<string, Problem>> {
  const place = await namedPlace(cwd, given, SKILL_KIND);
  if (place.ok) return place;
  const task = await namedPlace(cwd, given, TASK_KIND);
  return task.ok ? task : place;
}

async function skillsAt(cwd: string, dir: string): Promise<Result<FoundSkills, Problem>> {
  if (await isBundle(dir)) return ok({ dirs: [dir], findings: [] });
  const { tasks } = await findTasks([dir]);
  const isTask = tasks.some((task) => task.dir === dir);
  const own = isTask ? { bundles: [], problems: [] } : await bundlesIn(dir);
  if (own.bundles.length > 0) {
    const subject = pathFrom(cwd, dir);
    const findings = own.problems.map((problem) => ({ ...problem, subject, rule: 'skill-file' }));
    return ok({ dirs: own.bundles, findings });
  }
  if (tasks.length > 0) {
    const ofTasks = merged(await Promise.all(tasks.map(skillsOfTask)));
    if (ofTasks.dirs.length + ofTasks.findings.length > 0) return ok(ofTasks);
    return noSkills(dir, tasks.length === 1 ? 'the task uses no Skills' : 'these tasks use no Skills');
  }
  // Files without a SKILL.md are a Skill that was begun, and the check says what it lacks.
  const isEmpty = (await readdir(dir).catch(() => [])).length === 0;
  return isEmpty ? noSkills(dir, 'there are no Skills in this folder') : ok({ ...NOTHING, dirs: [dir] });
}

function noSkills(dir: string, message: string): Result<FoundSkills, Problem> {
  const repair = 'name the folder of a Skill, a library, or tasks that use Skills';
  return { ok: false, error: { severity: 'error', message, where: { file: dir }, repair } };
}

/** Its own, then those of the library that it names. */
async function skillsOfTask({ name: subject, dir }: SelectedTask): Promise<FoundSkills> {
  const own = await bundlesIn(dir);
  const shared = await sharedSkillsOfTask(dir);
  const library = await libraryBeside(dir);
  const inLibrary = await lookIntoLibrary(library);
  const there = new Set(Object.values(inLibrary).flat());
  const findings: Finding[] = own.problems.map((problem) => ({ ...problem, subject, rule: 'skill-file' }));
  if (!shared.ok)
    findings.push(...shared.error.map((problem) => ({ ...problem, subject, rule: 'task-file' })));
  const named = shared.ok ? shared.value : [];
  const ownNames = new Set(own.bundles.map((bundle) => basename(bundle)));
  for (const { name, where } of named.filter(
    (skill) => !there.has(skill.name) && !ownNames.has(skill.name),
  )) {
    const message = `there is no Skill "${name}", neither in the task's skills/ nor in ${library}`;
    const repair = didYouMean(name, inLibrary.bundles);
    findings.push({ severity: 'error', message, where, repair, subject, rule: 'skill-file' });
  }
  const taken = named.filter(({ name }) => there.has(name) && !ownNames.has(name));
  return { dirs: [...own.bundles, ...taken.map(({ name }) => join(library, name))], findings };
}

function merged(found: readonly FoundSkills[]): FoundSkills {
  return {
    dirs: [...new Set(found.flatMap(({ dirs }) => dirs))],
    findings: found.flatMap(({ findings }) => findings),
  };
}
