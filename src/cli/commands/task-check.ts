import { mkdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { atomicWrite } from '../../base/atomic-write.ts';
import { GATE_RULES } from '../../lint/gate/gate-rules.ts';
import { TASK_RULES } from '../../lint/task/task-rules.ts';
import { COMMAND } from '../../model/command.ts';
import type { Finding } from '../../model/finding.ts';
import type { Project } from '../../model/project.ts';
import { findingsJson } from '../../report/findings-json.ts';
import { findingsJunit } from '../../report/findings-junit.ts';
import { countFindings, renderFindings } from '../../report/findings-text.ts';
import { formatMany } from '../../report/format.ts';
import { type Environment, say } from '../environment.ts';
import { EXIT, interruptedCode } from '../exit-code.ts';
import { type Interrupts, watchInterrupts } from '../interrupts.ts';
import { type LintedFolder, lintTasks, READING_RULES, worthTrying } from '../lint-tasks.ts';
import { CANARY_EXPERIMENT, loadExperiment } from '../load-experiment.ts';
import { outputFile } from '../output-place.ts';
import { findReadable } from '../read-tasks.ts';
import { BUILD_RULES } from '../task-gate/build-findings.ts';
import type { GateChecked, GateLevel } from '../task-gate/check-gate.ts';

/** Flags of `task check`. */
interface TaskCheckFlags {
  readonly level: 'lint' | GateLevel;
  readonly repeats: number;
  readonly rebuild: boolean;
  readonly keep: boolean;
  readonly concurrency: number;
  readonly skills?: string;
  readonly strict: boolean;
  readonly json: boolean;
  readonly junit?: string;
}

/** From the cheapest on; each is done after those before it. */
const LEVELS: readonly { readonly name: string; readonly rules: readonly string[] }[] = [
  { name: 'lint', rules: [...READING_RULES, ...TASK_RULES.map(({ name }) => name)] },
  { name: 'build', rules: BUILD_RULES },
  { name: 'gate', rules: GATE_RULES.filter(({ name }) => name !== 'flaky').map(({ name }) => name) },
  { name: 'repeat', rules: ['flaky'] },
];

/**
 * `skillpair task check`: findings to standard output, a count to standard error. Errors are exit code 1; then the evidence of trials is
 * kept and named. Levels above `lint` leave out what the lint says cannot be run.
 */
export async function taskCheckCommand(
  environment: Environment,
  folders: readonly string[],
  flags: TaskCheckFlags,
): Promise<number> {
  const { cwd } = environment;
  const junitFile = flags.junit === undefined ? undefined : await outputFile(cwd, '--junit', flags.junit);
  const found = await findReadable(cwd, folders, flags.skills);
  const project = await loadExperiment(environment, CANARY_EXPERIMENT);
  using interrupts = watchInterrupts(environment, (line) => say(environment.stderr, line));
  const levels = LEVELS.slice(0, LEVELS.findIndex(({ name }) => name === flags.level) + 1);
  const checked = await lintTasks(found, project);
  const linted = checked.flatMap((one) => one.findings);
  const { level } = flags;
  const gate =
    level === 'lint'
      ? NO_GATE
      : await gateOf(environment, { flags: { ...flags, level }, checked, project, interrupts });
  const by = interrupts.by();
  const findings = [...linted, ...gate.findings];
  if (junitFile !== undefined) {
    const rules = levels.flatMap((level) => level.rules);
    const junit = junitOf(environment, flags, { subjects: checked, rules, findings });
    await mkdir(dirname(junitFile), { recursive: true });
    await atomicWrite(junitFile, junit);
  }
  const { stdout, stderr } = environment;
  if (flags.json) say(stdout, findingsJson(findings, cwd, { level: flags.level, tasks: checked.length }));
  else {
    stdout.stream.write(renderFindings(findings, cwd));
    say(stderr, `${formatMany(checked.length, 'task')} checked: ${countFindings(findings)}`);
  }
  const isBad = ({ severity }: Finding) => severity === 'error' || (flags.strict && severity === 'warning');
  const isSound = !findings.some(isBad);
  await tidy(environment, gate, { isKept: flags.keep || gate.findings.some(isBad) });
  if (by !== undefined) return interruptedCode(by);
  if (gate.leftBehind.length > 0) return EXIT.incomplete;
  return isSound ? EXIT.ok : EXIT.gate;
}

const NO_GATE: GateChecked = { findings: [], dir: undefined, leftBehind: [] };

async function gateOf(
  environment: Environment,
  from: {
    readonly flags: TaskCheckFlags & { readonly level: GateLevel };
    readonly checked: readonly LintedFolder[];
    readonly project: Project;
    readonly interrupts: Interrupts;
  },
): Promise<GateChecked> {
  const { flags, checked, project, interrupts } = from;
  const { level, repeats, rebuild, concurrency } = flags;
  const tasks = worthTrying(checked);
  if (tasks.length === 0) return NO_GATE;
  // All that runs trials: a lint needs none of it, and it takes longer to load than a task to be read.
  const { checkGate } = await import('../task-gate/check-gate.ts');
  return await checkGate(environment, {
    tasks,
    base: project,
    level,
    repeats,
    rebuild,
    concurrency,
    interrupts,
  });
}

async function tidy(
  { stderr }: Environment,
  { dir, leftBehind }: GateChecked,
  { isKept }: { readonly isKept: boolean },
): Promise<void> {
  for (const what of leftBehind) say(stderr, `left behind: ${what} (${COMMAND} clean removes it)`);
  if (dir === undefined) return;
  if (isKept) say(stderr, `evidence of the trials: ${dir}`);
  else await rm(dir, { recursive: true, force: true });
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
