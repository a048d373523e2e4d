import { type Command, Option } from 'commander';
import type { Run } from './action.ts';
import { example } from './example.ts';
import { wholeNumber } from './whole-number.ts';

/** What reads the folder of a run, or makes one of results that somebody else's program gave. */
export function addRecordCommands(program: Command, run: Run): void {
  addCompareCommand(program, run);
  program
    .command('report')
    .argument('<run>', 'run id, or the folder of a run')
    .description('write and print the reports of a run from its folder alone; needs no container engine')
    .addOption(runsOption())
    .option('--out <folder>', 'where reports are written; default: reports/ in the run folder')
    .addOption(junitOption())
    .option('--json', 'print the measurement as JSON', false)
    .addHelpText('after', example('report @latest', 'report demo-20261129-2210 --json'))
    .action(run(async () => (await import('./commands/report.ts')).reportCommand));

  program
    .command('import')
    .argument('<file>', 'CSV of results: means of trials, or a trial a row')
    .description('read the results of another program, for report to make figures of')
    .addOption(runsOption())
    .option('--run-id <id>', 'name to report them under; default: the name of the file')
    .option('--json', 'what was read as JSON', false)
    .addHelpText('after', example('import results.csv', 'import results.csv --run-id public-results'))
    .action(run(async () => (await import('./commands/import.ts')).importCommand));

  program
    .command('verify')
    .argument('<run>', 'run id, or the folder of a run')
    .argument('[trials...]', 'only trials whose id matches one of these globs')
    .description(
      'verify once more what the agents of a run left, with the tests of now; the run stays as it is',
    )
    .addOption(runsOption())
    .addOption(new Option('--concurrency <n>', 'at once').argParser(wholeNumber(1, 256)).default(2))
    .option('--evidence <folder>', 'keep streams and reports of the verifiers there')
    .option('--json', 'outcomes as JSON', false)
    .addHelpText('after', example('verify @latest', "verify demo-20261129-2210 'co2-*' --evidence again"))
    .action(run(async () => (await import('./commands/verify.ts')).verifyCommand));
}

/** What makes `compare` end with 1. */
const FAIL_ON = ['worse', 'lost', 'never'];

function addCompareCommand(program: Command, run: Run): void {
  program
    .command('compare')
    .argument('<before>', 'run id, or the folder of a run or of imported results')
    .argument('<after>', 'the later one')
    .description('what moved between two runs, with uncertainty, next to what changed')
    .addOption(runsOption())
    .addOption(
      new Option(
        '--fail-on <what>',
        'what makes it end with 1: a figure that is worse beyond chance, or any lost task too',
      )
        .choices(FAIL_ON)
        .default('worse'),
    )
    .option('--junit <file>', 'also write it as JUnit, a case for each task')
    .option('--json', 'the comparison as JSON', false)
    .addHelpText(
      'after',
      example(
        'compare demo-20261128-2210 demo-20261129-2210',
        'compare night-1 night-2 --fail-on lost --junit compare.xml',
      ),
    )
    .action(run(async () => (await import('./commands/compare.ts')).compareCommand));
}

/** Where runs are. */
export function runsOption(): Option {
  return new Option('--runs <folder>', 'where run folders are').default('runs');
}

/** How failed no-skills trials stand in JUnit. */
export function junitOption(): Option {
  return new Option(
    '--junit-baseline <mode>',
    'a failed trial without Skills in JUnit: a failure, or a pass with a note',
  )
    .choices(['failure', 'pass-with-note'])
    .default('failure');
}
