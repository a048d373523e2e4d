import { readFile, rm } from 'node:fs/promises';
import { execa } from 'execa';
import { ownBase } from './own-base.ts';
import { prepare } from './prepare.ts';
import { runMain } from './setup-failure.ts';
import { ROOT, stateFile } from './state-file.ts';
import { type TestReport, testTally } from './test-tally.ts';

const ENGINE_PROJECTS = ['docker', 'docker-alone', 'end-to-end', 'contract'];

/** `npm test [-- vitest's arguments]`: set-up, then the tests; ends with the line `N passed, N failed`. */
async function test(args: readonly string[]): Promise<number> {
  const env = needsEngine(args) ? { SKILLPAIR_TEST_BASE: await ownBase((await prepare()).engine) } : {};
  const reportPath = await stateFile('test-report.json');
  await rm(reportPath, { force: true });
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportPath}`];
  const { exitCode } = await execa(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', ...reporters, ...args],
    {
      cwd: ROOT,
      env,
      reject: false,
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  );
  const { passed, failed, failures } = testTally(await readReport(reportPath), exitCode);
  for (const failure of failures) console.log(`failed: ${failure}`);
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

/** A chosen project that needs no engine spares its set-up; without a choice all run. */
function needsEngine(args: readonly string[]): boolean {
  const chosen = args.flatMap((arg, index) => {
    if (arg === '--project') return [args[index + 1] ?? ''];
    return arg.startsWith('--project=') ? [arg.slice('--project='.length)] : [];
  });
  return chosen.length === 0 || chosen.some((project) => ENGINE_PROJECTS.includes(project));
}

async function readReport(path: string): Promise<TestReport | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as TestReport;
  } catch {
    return undefined;
  }
}

await runMain(() => test(process.argv.slice(2)));
