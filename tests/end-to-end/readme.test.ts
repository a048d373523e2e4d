import { readFileSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { pageBlocks, pageFiles, writePageFiles } from '../support/page-files.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const ROOT = join(import.meta.dirname, '../..');
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');
/** The only part of the output that changes from run to run. */
const RUN_PATH = /^report: .*$/m;

test("the README's own experiment, as written there, prints what the README says", async () => {
  await using folder = await temporaryFolder();
  await writePageFiles(folder.path, pageFiles(README));
  for (const name of ['harnesses', 'verifiers']) await symlink(join(ROOT, name), join(folder.path, name));
  const command = ['run', 'mine/experiment.yaml', '--run-id', `readme-${process.pid}`];
  const { stdout, exitCode } = await execa(process.execPath, [join(ROOT, 'src/cli.ts'), ...command], {
    cwd: folder.path,
    reject: false,
  });
  const shown = pageBlocks(README, ['text']).find(
    (block) => block.includes('oracle') && RUN_PATH.test(block),
  );
  expect(exitCode).toBe(0);
  expect(stdout.replace(RUN_PATH, '')).toBe(shown?.replace(RUN_PATH, ''));
}, 600_000);
