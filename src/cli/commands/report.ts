import { canonicalJson } from '../../base/canonical-json.ts';
import { renderSummary } from '../../report/summary-table.ts';
import { type Environment, say } from '../environment.ts';
import { exitCode } from '../exit-code.ts';
import { findRun } from '../find-run.ts';
import { outputFolder } from '../output-place.ts';
import { reportRun } from '../reporting.ts';

/** `skillpair report`: replays a run's folder into its reports. */
export async function reportCommand(
  environment: Environment,
  [named = '']: readonly string[],
  flags: { runs: string; out?: string; junitBaseline: 'failure' | 'pass-with-note'; json?: boolean },
): Promise<number> {
  const runDir = await findRun(environment, flags.runs, named);
  const out = flags.out === undefined ? {} : { out: await outputFolder(environment.cwd, '--out', flags.out) };
  const { record, measurement, options, outDir } = await reportRun(runDir, {
    cwd: environment.cwd,
    junitBaseline: flags.junitBaseline,
    ...out,
  });
  for (const notice of record.notices) say(environment.stderr, `notice: ${notice}`);
  if (flags.json) say(environment.stdout, canonicalJson(measurement));
  else {
    environment.stdout.stream.write(renderSummary(record, measurement, options));
    say(environment.stderr, `reports: ${outDir}`);
  }
  return exitCode({
    measurement,
    interruptedBy: undefined,
    failed: false,
    leftBehind: 0,
    brokenReporters: 0,
  });
}
