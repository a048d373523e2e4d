import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { atomicWrite } from '../../base/atomic-write.ts';
import { TASK_RULES } from '../../lint/task/task-rules.ts';
import type { Finding } from '../../model/finding.ts';
import type { Project } from '../../model/project.ts';
import { findingsJson } from '../../report/findings-json.ts';
import { findingsJunit } from '../../report/findings-junit.ts';
import { countFindings, renderFindings } from '../../report/findings-text.ts';
import { formatMany } from '../../report/format.ts';
import { type Environment, say } from '../environment.ts';
import { EXIT } from '../exit-code.ts';
import { lintTasks, READING_RULES } from '../lint-tasks.ts';
import { CANARY_EXPERIMENT, loadExperiment } from '../load-experiment.ts';
import { type ReadTask, readTasks } from '../read-tasks.ts';

/** Flags of `task check`. */
interface TaskCheckFlags {
  readonly level: string;
  readonly skills?: string;
  readonly strict: boolean;
  readonly json: boolean;
  readonly junit?: string;
}

/** One level of the check: what it finds in each task. */
interface Level {
  readonly name: string;
  readonly rules: readonly string[];
  readonly check: (
    tasks: readonly ReadTask[],
    project: Project,
  ) => Promise<
    readonly { readonly subject: string; readonly file: string; readonly findings: readonly Finding[] }[]
  >;
}

/** From the cheapest on; each is done after those before it. */
const LEVELS: readonly Level[] = [
  { name: 'lint', rules: [...READING_RULES, ...TASK_RULES.map(({ name }) => name)], check: lintTasks },
];

/** `skillpair task check`: findings to standard output, a count to standard error. Errors are exit code 1. */
export async function taskCheckCommand(
  environment: Environment,
  folders: readonly string[],
  flags: TaskCheckFlags,
): Promise<number> {
  const project = await loadExperiment(environment, CANARY_EXPERIMENT);
  const tasks = await readTasks(environment.cwd, folders, flags.skills);
  const levels = LEVELS.slice(0, LEVELS.findIndex(({ name }) => name === flags.level) + 1);
  const checked = [];
  for (const { check } of levels) checked.push(...(await check(tasks, project)));
  const findings = checked.flatMap((one) => one.findings);
  if (flags.junit !== undefined) {
    const rules = levels.flatMap((level) => level.rules);
    const junit = junitOf(environment, flags, { subjects: checked, rules, findings });
    await atomicWrite(resolve(environment.cwd, flags.junit), junit);
  }
  const { stdout, stderr, cwd } = environment;
  if (flags.json) say(stdout, findingsJson(findings, cwd, { level: flags.level, tasks: tasks.length }));
  else {
    stdout.stream.write(renderFindings(findings, cwd));
    say(stderr, `${formatMany(tasks.length, 'task')} checked: ${countFindings(findings)}`);
  }
  const isBad = ({ severity }: Finding) => severity === 'error' || (flags.strict && severity === 'warning');
  return findings.some(isBad) ? EXIT.gate : EXIT.ok;
}

function junitOf(
  environment: Environment,
  { strict }: TaskCheckFlags,
  checked: Pick<Parameters<typeof findingsJunit>[0], 'subjects' | 'rules' | 'findings'>,
): string {
  const at = environment.now().toISOString();
  return findingsJunit({
    ...checked,
    check: 'task-check',
    strict,
    root: environment.cwd,
    at,
    hostname: hostname(),
  });
}
