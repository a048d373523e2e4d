import { join } from 'node:path';
import { type Command, Option } from 'commander';
import type { Run } from './action.ts';
import { example } from './example.ts';
import { HOME } from './version.ts';

/** Adds `harness list` and `harness check`. */
export function addHarnessCommands(program: Command, run: Run): void {
  const harness = program.command('harness').description('the agent programs that can be compared');
  harness
    .command('list')
    .description('list them: version, protocol, folders of Skills, whether the bundle is built')
    .addOption(harnessesOption())
    .option('--json', 'harnesses as JSON', false)
    .addHelpText('after', example('harness list', 'harness list --json'))
    .action(run(async () => (await import('./commands/harness-list.ts')).harnessListCommand));
  harness
    .command('check')
    .argument('<id>', 'harness')
    .description(
      'build its bundle, read its version back, and try what a harness is held to with a scripted model',
    )
    .addOption(harnessesOption())
    .addOption(
      new Option('--case <glob>', 'only cases whose name matches; may be repeated').argParser(
        (text: string, previous: readonly string[] | undefined) => [...(previous ?? []), text],
      ),
    )
    .option('--model <name>', 'model that is asked for by name; answers are scripted all the same')
    .option('--keep', 'keep the evidence of the trials also when all cases hold', false)
    .option('--json', 'cases as JSON', false)
    .addHelpText(
      'after',
      example('harness check claude-code', "harness check codex --case 'status-*' --keep"),
    )
    .action(run(async () => (await import('./commands/harness-check.ts')).harnessCheckCommand));
  for (const command of harness.commands) command.copyInheritedSettings(program);
}

function harnessesOption(): Option {
  return new Option('--harnesses <folder>', 'where harnesses are').default(
    join(HOME, 'harnesses'),
    "skillpair's own",
  );
}
