import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import type { Action, Run } from './action.ts';
import type { Environment } from './environment.ts';
import { example } from './example.ts';
import { EXIT, EXIT_HELP } from './exit-code.ts';
import { addHarnessCommands } from './harness-commands.ts';
import { printFailure } from './print-failure.ts';
import { addRecordCommands, junitOption, runsOption } from './record-commands.ts';
import { addSkillCommands } from './skill-commands.ts';
import { addTaskCommands, addTryCommand } from './task-commands.ts';
import { version } from './version.ts';
import { wholeNumber } from './whole-number.ts';

/**
 * Parses the command line, runs one command and returns the exit code. Commands are imported when they are called, so that
 * `--help` and `--version` load nothing else.
 */
export async function runProgram(argv: readonly string[], environment: Environment): Promise<number> {
  let code: number = EXIT.ok;
  const run =
    (load: () => Promise<Action>) =>
    async (...given: unknown[]) => {
      const command = given.at(-1) as Command;
      const action = await load();
      code = await action(environment, command.args, command.opts() as never);
    };
  const program = makeProgram(environment, run);
  try {
    await program.parseAsync(argv, { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.input;
    return printFailure(environment, error);
  }
}

function makeProgram(environment: Environment, run: Run): Command {
  const program = new Command('skillpair')
    .description(
      'Does this Skill help this agent on this work? Paired evaluation in fresh pinned containers.',
    )
    .version(version())
    .addHelpText('after', `\n${EXIT_HELP}`)
    .configureHelp({ sortSubcommands: false })
    .configureOutput({
      writeOut: (text) => environment.stdout.stream.write(text),
      writeErr: (text) => environment.stderr.stream.write(text),
    })
    .showSuggestionAfterError()
    .exitOverride();
  addRunCommands(program, run);
  addReadCommands(program, run);
  addRecordCommands(program, run);
  addSkillCommands(program, run);
  addTaskCommands(program, run);
  addTryCommand(program, run);
  addHarnessCommands(program, run);
  addUpkeepCommands(program, run);
  for (const command of program.commands) command.copyInheritedSettings(program);
  return program;
}

function addRunCommands(program: Command, run: Run): void {
  const runCommand = program
    .command('run')
    .argument('<experiment>', 'experiment file')
    .description('run an experiment: plan, run, verify, record, measure, report');
  for (const option of [...selectionOptions(), ...howOptions()]) runCommand.addOption(option);
  runCommand
    .option('--run-id <id>', 'name of the run; default: experiment name and time')
    .addHelpText(
      'after',
      example('run experiments/demo.yaml', "run experiments/demo.yaml --task 'co2-*' --concurrency 1"),
    )
    .action(run(async () => (await import('./commands/run.ts')).runCommand));

  const resumeCommand = program
    .command('resume')
    .argument('<run>', 'run id, or the folder of a run')
    .description('go on with a run that did not end; scored trials are never run again');
  for (const option of howOptions()) resumeCommand.addOption(option);
  resumeCommand
    .option('--retry-unscored', 'give unscored trials further attempts', false)
    .option('--accept-moved-base', 'go on although a base image resolves to another one now', false)
    .addHelpText('after', example('resume demo-20261129-2210', 'resume @latest --retry-unscored'))
    .action(run(async () => (await import('./commands/resume.ts')).resumeCommand));
}

function addReadCommands(program: Command, run: Run): void {
  program
    .command('check')
    .argument('<experiment>', 'experiment file')
    .description('load everything an experiment names and print all problems')
    .addOption(substituteOption())
    .option('--json', 'problems as JSON', false)
    .addHelpText('after', example('check experiments/demo.yaml', 'check experiments/demo.yaml --json'))
    .action(run(async () => (await import('./commands/check.ts')).checkCommand));

  const plan = program
    .command('plan')
    .argument('<experiment>', 'experiment file')
    .description('print exactly what run would do: trials, images to build, what cannot be found');
  for (const option of selectionOptions()) plan.addOption(option);
  plan
    .addOption(substituteOption())
    .option('--power', 'print the smallest gain that such a run would find, and nothing else', false)
    .option('--like <run>', 'with --power: a run, or imported results, whose noise is assumed')
    .addOption(runsOption())
    .option('--json', 'the plan as JSON', false)
    .addHelpText(
      'after',
      example(
        'plan experiments/demo.yaml',
        'plan experiments/demo.yaml --shard 1/4 --json',
        'plan experiments/demo.yaml --power --like @latest',
      ),
    )
    .action(run(async () => (await import('./commands/plan.ts')).planCommand));
}

function addUpkeepCommands(program: Command, run: Run): void {
  program
    .command('doctor')
    .description(
      'check the container engine, disk, networks, images and one canary trial; name a repair for each fault',
    )
    .option('--json', 'findings as JSON', false)
    .addHelpText('after', example('doctor', 'doctor --json'))
    .action(run(async () => (await import('./commands/doctor.ts')).doctorCommand));

  program
    .command('clean')
    .description('remove what dead runs left on the engine; only what carries our labels')
    .option('--images', 'also task images, bundles and volumes that were built', false)
    .option('--dry-run', 'only print what would be removed', false)
    .option('--json', 'objects as JSON', false)
    .addHelpText('after', example('clean --dry-run', 'clean --images'))
    .action(run(async () => (await import('./commands/clean.ts')).cleanCommand));
}

function selectionOptions(): Option[] {
  const list = (flag: string, what: string) =>
    new Option(`${flag} <glob>`, `only ${what}; may be repeated`).argParser(collected);
  return [
    list('--task', 'tasks whose id matches'),
    list('--domain', 'tasks of this domain'),
    list('--difficulty', 'tasks of this difficulty'),
    list('--tag', 'tasks with this tag'),
    list('--condition', 'this condition'),
    list('--harness', 'configurations of this harness'),
    new Option('--shard <i/n>', 'only part i of n; pairs stay whole').argParser(parseShard),
  ];
}

function howOptions(): Option[] {
  return [
    new Option('--concurrency <n>', 'trials at once; default: what the experiment says').argParser(
      wholeNumber(1, 256),
    ),
    substituteOption(),
    runsOption(),
    junitOption(),
    new Option('--quiet', 'print nothing but problems and the result').default(false),
    new Option('--json', 'events as JSON lines on standard output, first `launch`, last `done`').default(
      false,
    ),
  ];
}

function substituteOption(): Option {
  return new Option(
    '--substitute <name=image>',
    'local image that stands in for a base image, in all arms',
  ).argParser((text: string, previous: Record<string, string> | undefined) => ({
    ...previous,
    ...parseSubstitute(text),
  }));
}

/** Repeatable rather than variadic: a variadic option would swallow the experiment that follows it. */
function collected(text: string, previous: readonly string[] | undefined): readonly string[] {
  return [...(previous ?? []), text];
}

function parseSubstitute(text: string): Record<string, string> {
  const [name, image, ...rest] = text.split('=');
  if (!name || !image || rest.length > 0)
    throw new InvalidArgumentError('write name=image, as in debian:12-slim=my/base:1');
  return { [name]: image };
}

function parseShard(text: string): { index: number; count: number } {
  const found = /^(\d+)\/(\d+)$/.exec(text);
  const [index, count] = [Number(found?.[1]), Number(found?.[2])];
  if (found === null || index < 1 || count < 1 || index > count)
    throw new InvalidArgumentError('write i/n with i from 1 to n, as in 2/4');
  return { index, count };
}
