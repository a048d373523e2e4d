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
  for (const command of harness.commands) command.copyInheritedSettings(program);
}

function harnessesOption(): Option {
  return new Option('--harnesses <folder>', 'where harnesses are').default(
    join(HOME, 'harnesses'),
    "skillpair's own",
  );
}
