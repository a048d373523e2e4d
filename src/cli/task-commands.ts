import { type Command, Option } from 'commander';
import type { Run } from './action.ts';
import { example } from './example.ts';
import { wholeNumber } from './whole-number.ts';

/** Adds `task new`, `task import`, `task list`, `task show` and `task check`. */
export function addTaskCommands(program: Command, run: Run): void {
  const task = program.command('task').description('the tasks: what is here, and whether they are sound');
  addNew(task, run);
  addImport(task, run);
  task
    .command('list')
    .argument('[folders...]', 'tasks or folders of tasks, by folder or id; default: tasks')
    .description('list them: what they need, and whether they can be run here or why not')
    .addOption(skillsOption())
    .option('--json', 'tasks as JSON', false)
    .addHelpText('after', example('task list', 'task list tasks ../other/tasks --json'))
    .action(run(async () => (await import('./commands/task-list.ts')).taskListCommand));
  task
    .command('show')
    .argument('<task>', 'task folder, or the id of a task in tasks')
    .description('show all that was understood of a task, and what was read and is not supported')
    .addOption(skillsOption())
    .option('--json', 'the task as JSON', false)
    .addHelpText('after', example('task show co2-annual-growth', 'task show ../other/tasks/one --json'))
    .action(run(async () => (await import('./commands/task-show.ts')).taskShowCommand));
  task
    .command('check')
    .argument('<folders...>', 'tasks or folders of tasks, by folder or id')
    .description('check tasks and print one line for each finding, with its place and a repair')
    .addOption(
      new Option('--level <level>', 'how far to go')
        .choices(['lint', 'build', 'gate', 'repeat'])
        .default('lint'),
    )
    .addOption(
      new Option('--repeats <k>', 'trials of the solution and of doing nothing, at level repeat')
        .argParser(wholeNumber(2, 100))
        .default(5),
    )
    .option('--rebuild', 'build images anew, from their first step', false)
    .addOption(new Option('--concurrency <n>', 'trials at once').argParser(wholeNumber(1, 256)).default(2))
    .option('--keep', 'keep the evidence of the trials also when nothing is wrong', false)
    .addOption(skillsOption())
    .option('--strict', 'warnings count as errors', false)
    .option('--json', 'findings as JSON', false)
    .option('--junit <file>', 'also write the findings as JUnit')
    .addHelpText(
      'after',
      example(
        'task check tasks',
        'task check tasks/co2-annual-growth --level gate',
        'task check tasks --level repeat --repeats 10 --junit checks.xml',
      ),
    )
    .action(run(async () => (await import('./commands/task-check.ts')).taskCheckCommand));
  for (const command of task.commands) command.copyInheritedSettings(program);
}

function addNew(task: Command, run: Run): void {
  task
    .command('new')
    .argument('<id>', 'name of the task, and of its folder')
    .description('write a small task that passes its checks, to be made your own; asks for what no flag says')
    .option('--dir <folder>', 'where the folder is made', 'tasks')
    .option('--title <text>', 'one line for people; without a terminal: the id in words')
    .option('--domain <domain>', 'one of the eight domains; needed where there is no terminal to ask at')
    .option('--capability <word>', 'what is called for; needed where there is no terminal to ask at')
    .option('--difficulty <word>', 'core, extended or extreme; without a terminal: core')
    .option('--skill <name>', 'name of the Skill in it; without a terminal: cumulative-registers')
    .addHelpText(
      'after',
      example(
        'task new due-dates',
        'task new due-dates --domain office-and-white-collar --title "Due dates"',
      ),
    )
    .action(run(async () => (await import('./commands/task-new.ts')).taskNewCommand));
}

function addImport(task: Command, run: Run): void {
  task
    .command('import')
    .argument('<source>', 'task folder, folder of tasks, or <repository>#<ref>:<folder>')
    .description(
      'copy tasks here, each whole or not at all; tasks run where they are, so this is seldom needed',
    )
    .option('--into <folder>', 'folder of tasks to copy into', 'tasks')
    .addOption(
      new Option('--only <ids>', 'only these: ids with commas between, * and ? allowed; may be repeated')
        .argParser((text: string, previous: readonly string[]) => [
          ...previous,
          ...text.split(',').filter((id) => id !== ''),
        ])
        .default([], 'all'),
    )
    .option('--replace', 'replace tasks that are there already', false)
    .option('--all-files', 'also files beside the task that are no part of it', false)
    .option('--dry-run', 'copy nothing; say what would be', false)
    .option('--json', 'tasks as JSON', false)
    .addHelpText(
      'after',
      example(
        'task import ../other/tasks --only "invoice-*" --dry-run',
        'task import https://example.org/benchmark.git#v1.2:tasks --into tasks',
      ),
    )
    .action(run(async () => (await import('./commands/task-import.ts')).taskImportCommand));
}

/** Adds `try`. */
export function addTryCommand(program: Command, run: Run): void {
  program
    .command('try')
    .argument('<task>', 'task folder, or the id of a task in tasks')
    .description("open a task's container in the agent's place, then verify what was done in it")
    .addOption(
      new Option('--condition <condition>', 'with or without Skills')
        .choices(['with-skills', 'no-skills'])
        .default('with-skills'),
    )
    .option('--harness <id>', 'harness in whose folders the Skills are put', 'literal')
    .option('--shell <command>', 'what is started, by /bin/sh; default: bash where there is one, else sh')
    .addOption(skillsOption())
    .addHelpText(
      'after',
      example(
        'try co2-annual-growth',
        'try tasks/mine --condition no-skills',
        'try tasks/mine < commands.sh',
      ),
    )
    .action(run(async () => (await import('./commands/try.ts')).tryCommand));
}

function skillsOption(): Option {
  return new Option(
    '--skills <folder>',
    "library of the Skills that tasks name; default: skills/ beside the folder of tasks, or skillpair's own",
  );
}
