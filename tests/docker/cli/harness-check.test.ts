import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageFiles, writePageFiles } from '../../support/page-files.ts';
import { page } from '../../support/pages.ts';
import { makeRig, type Rig } from '../../support/rig.ts';

/** The harness of "Writing a harness", which no code of ours reads. */
const FIRST_BLOCK = 'harnesses/first-block/harness.yaml';

/** Images and volumes that were made for a harness of these tests' own. */
async function removeBundles(harness: string): Promise<void> {
  const of = (kind: string) =>
    [`label=skillpair.kind=${kind}`, `label=skillpair.subject=${harness}`].flatMap((one) => [
      '--filter',
      one,
    ]);
  const lines = ({ stdout }: { readonly stdout: string }) => stdout.split('\n').filter((line) => line !== '');
  const volumes = lines(await execa('docker', ['volume', 'ls', '-q', ...of('harness-volume')]));
  for (const volume of volumes) await execa('docker', ['volume', 'rm', '-f', volume]);
  const images = lines(await execa('docker', ['images', '-q', '--no-trunc', ...of('harness-image')]));
  for (const image of new Set(images)) await execa('docker', ['rmi', '-f', image]);
}

describe('harness check, on a real engine', () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await makeRig();
    await writePageFiles(rig.dir, pageFiles(page('docs/writing-a-harness.md').text));
  });
  afterAll(async () => {
    await rig[Symbol.asyncDispose]();
    await removeBundles('first-block');
  });
  const check = (...args: string[]) => rig.run(['harness', 'check', ...args]);

  it('holds the literal harness to its contract: it opens the canary, and without Skills uses none', async () => {
    const { code, stdout } = await check('literal', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      harness: { id: 'literal', version: '1.0.0' },
      cases: [
        { name: 'bundle', found: 'says 1.0.0', ok: true },
        { name: 'canary', found: 'passed; seen', reader: 'no fault', ok: true },
        { name: 'no-skills', found: 'failed; nothing used; listing not known', ok: true },
      ],
    });
    expect(code).toBe(0);
  });

  it('holds the harness of the page to what can be told of a program whose output nobody reads', async () => {
    const { code, stdout } = await check('first-block', '--harnesses', 'harnesses');
    expect(stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['case', 'expected', 'found', 'reader', 'ok'],
      ['bundle', 'built', 'built', '-', 'yes'],
      ['canary', 'passed; cannot-tell', 'passed; cannot-tell', '-', 'yes'],
      [
        'no-skills',
        'failed; cannot-tell; listing not known',
        'failed; cannot-tell; listing not known',
        '-',
        'yes',
      ],
      [''],
    ]);
    expect(code).toBe(0);
  });

  it('ends with 1 where the program says another version than the manifest, and tries no trial', async () => {
    const manifest = await readFile(join(rig.dir, FIRST_BLOCK), 'utf8');
    const asked = 'versionCommand: [sh, -c, "test -d {bundle}/bin && echo first-block 1.0.1"]\n';
    await rig.write({ [FIRST_BLOCK]: `${manifest}${asked}` });
    const { code, stdout } = await check('first-block', '--harnesses', 'harnesses');
    expect(stdout).toContain('must say 1.0.0; it left with exit code 0 and said: first-block 1.0.1');
    expect(stdout).not.toContain('canary');
    expect(code).toBe(1);
  });

  it('keeps the evidence of the trials only where it is asked to while all holds', async () => {
    const { stderr } = await check('literal', '--case', 'canary', '--keep');
    const [, dir = ''] = /^evidence of the trials: (.+)$/m.exec(stderr) ?? [];
    expect(await readFile(join(dir, 'canary', 'experiment.yaml'), 'utf8')).toContain('"check-canary"');
    await rm(dir, { recursive: true });
    expect((await check('literal', '--case', 'canary')).stderr).not.toContain('evidence');
  });
});
