import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HarnessManifest } from '../../../src/model/harness.ts';
import { agentScript, manifestOf } from './agent-script.ts';
import { type BundleVolume, bundleVolume } from './bundle-volume-run.ts';

let bundle: BundleVolume;
let manifest: HarnessManifest;

beforeAll(async () => {
  bundle = await bundleVolume('gemini-cli');
  manifest = await manifestOf('gemini-cli');
}, 20 * 60_000);

afterAll(() => bundle.remove());

describe('the Gemini CLI bundle as a read-only volume', () => {
  it('tells the version of the manifest to a user without an account, in an image without a runtime', async () => {
    const ran = await bundle.run('/opt/skillpair/harness/gemini-cli/bin/gemini-cli --version', {
      user: '4242',
      home: '/',
    });
    expect([ran.exitCode, ran.stdout]).toEqual([0, expect.stringContaining(manifest.version)]);
  });

  it('starts with its settings, asks for its key where there is none, and leaves the bundle as it was', async () => {
    const before = await bundle.listing();
    const ran = await bundle.run(agentScript(manifest, { GEMINI_API_KEY: '' }));
    expect(`${ran.stdout}${ran.stderr}`).toMatch(/GEMINI_API_KEY/);
    expect(ran.exitCode).toBe(41);
    expect(await bundle.listing()).toBe(before);
  }, 120_000);
});
