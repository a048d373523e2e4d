import { join } from 'node:path';
import { type Command, Option } from 'commander';
import type { Run } from './action.ts';
import { example } from './example.ts';
import { HOME } from './version.ts';

/** Adds `skill list`, `skill show`, `skill check` and `skill diff`. */
export function addSkillCommands(program: Command, run: Run): void {
  const skill = program
    .command('skill')
    .description('the Skills: what is here, and what each harness would do with it');
  addCheck(skill, run);
  skill
    .command('list')
    .argument('[folder]', 'library, task, or folder of tasks', 'skills')
    .description('list them: title, size, digest, and the tasks that use them')
    .addOption(
      new Option(
        '--tasks <folder>',
        'task folder, or folder of tasks, that may use them; may be repeated; default: tasks/ beside the library',
      ).argParser(repeated),
    )
    .option('--json', 'Skills as JSON', false)
    .addHelpText('after', example('skill list', 'skill list skills --json'))
    .action(run(async () => (await import('./commands/skill-list.ts')).skillListCommand));
  skill
    .command('show')
    .argument('<skill>', 'folder of a Skill, or the name of one in skills')
    .description('show its head, its files, its digest, and how each harness lists it')
    .addOption(harnessesOption())
    .option('--json', 'the Skill as JSON', false)
    .addHelpText('after', example('skill show growth-rates', 'skill show ../other/growth-rates'))
    .action(run(async () => (await import('./commands/skill-show.ts')).skillShowCommand));
  skill
    .command('diff')
    .argument('<before>', 'folder of a Skill, or the name of one in skills')
    .argument('<after>', 'another one')
    .description('compare two bundles: files, modes, head, text; exits with 1 where they differ')
    .option('--json', 'differences as JSON', false)
    .addHelpText('after', example('skill diff skills/growth-rates ../other/growth-rates'))
    .action(run(async () => (await import('./commands/skill-diff.ts')).skillDiffCommand));
  for (const command of skill.commands) command.copyInheritedSettings(program);
}

function addCheck(skill: Command, run: Run): void {
  skill
    .command('check')
    .argument('<folders...>', 'Skills, libraries, tasks or folders of tasks, by folder or name')
    .description('check against the specification and against what each harness was seen to list')
    .addOption(harnessesOption())
    .addOption(new Option('--harness <id>', 'look at this harness only; may be repeated').argParser(repeated))
    .option('--fix', 'mend what can be mended without a choice; print what was changed', false)
    .option('--strict', 'warnings count as errors', false)
    .option('--json', 'findings as JSON', false)
    .option('--junit <file>', 'also write the findings as JUnit')
    .addHelpText(
      'after',
      example('skill check skills', 'skill check skills/growth-rates --harness codex --fix'),
    )
    .action(run(async () => (await import('./commands/skill-check.ts')).skillCheckCommand));
}

function repeated(text: string, previous: readonly string[] | undefined): readonly string[] {
  return [...(previous ?? []), text];
}

function harnessesOption(): Option {
  return new Option('--harnesses <folder>', 'where harnesses are').default(
    join(HOME, 'harnesses'),
    "skillpair's own",
  );
}
