import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import type { ReportFiles } from '../../../src/verifier/verifier.ts';

const BASE = process.env.SKILLPAIR_TEST_BASE ?? 'skillpair/base:1';
const IMAGE = 'skillpair-test/verifier-bundle:1';
const LABEL = 'skillpair-test=verifier';

/** Builds the bundle on the base image; a second build comes from the engine's cache. */
export async function buildVerifierBundle(): Promise<void> {
  const folder = new URL('../../../verifiers', import.meta.url).pathname;
  await execa('docker', [
    'build',
    '-q',
    '--label',
    LABEL,
    '--build-arg',
    `BASE=${BASE}`,
    '-t',
    IMAGE,
    folder,
  ]);
}

/** What one run of the bundle left. */
export interface VerifierRun {
  readonly exitCode: number;
  readonly output: string;
  readonly nonce: string;
  readonly files: ReportFiles;
}

/** Runs the bundle's command in a fresh container that holds the given files (absolute container paths). */
export async function runVerifier(
  files: Readonly<Record<string, string>>,
  options: { readonly init?: boolean; readonly workingDir?: string; readonly nonce?: string } = {},
): Promise<VerifierRun> {
  const nonce = options.nonce ?? randomBytes(16).toString('hex');
  const folder = await mkdtemp(join(tmpdir(), 'skillpair-verifier-'));
  const { stdout: id } = await execa('docker', [
    ...['create', '--label', LABEL, '--network', 'none', '--user', '0', '-e', `SKILLPAIR_NONCE=${nonce}`],
    ...[
      '-e',
      'PYTEST_ADDOPTS=--deselect test_a.py',
      '-e',
      'PYTHONPATH=/workspace',
      '--security-opt',
      'no-new-privileges',
    ],
    ...['-w', options.workingDir ?? '/workspace', ...(options.init === false ? [] : ['--init']), IMAGE],
    ...['/bin/sh', '/opt/skillpair/verifier/run-pytest.sh'],
  ]);
  try {
    for (const [path, content] of Object.entries({ '/logs/verifier/.keep': '', ...files })) {
      await mkdir(dirname(join(folder, 'in', path)), { recursive: true });
      await writeFile(join(folder, 'in', path), content);
    }
    await execa('docker', ['cp', `${join(folder, 'in')}/.`, `${id}:/`]);
    const ran = await execa('docker', ['start', '-a', id], { reject: false, all: true });
    await execa('docker', ['cp', `${id}:/logs/verifier`, join(folder, 'out')]);
    const report = await readFile(join(folder, 'out', 'report.json')).catch(() => undefined);
    return {
      exitCode: ran.exitCode ?? -1,
      output: ran.all,
      nonce,
      files: new Map(report === undefined ? [] : [['report.json', { bytes: report, truncated: false }]]),
    };
  } finally {
    await execa('docker', ['rm', '-f', '-v', id]);
    await rm(folder, { recursive: true, force: true });
  }
}
