import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HarnessManifest } from '../../../src/model/harness.ts';
import { agentScript, manifestOf } from './agent-script.ts';
import { type BundleVolume, bundleVolume } from './bundle-volume-run.ts';

let bundle: BundleVolume;
let manifest: HarnessManifest;

beforeAll(async () => {
  bundle = await bundleVolume('qwen-code');
  manifest = await manifestOf('qwen-code');
}, 20 * 60_000);

afterAll(() => bundle.remove());

describe('the Qwen Code bundle as a read-only volume', () => {
  it('tells the version of the manifest to a user without an account, in an image without a runtime', async () => {
    const ran = await bundle.run('/opt/skillpair/harness/qwen-code/bin/qwen-code --version', {
      user: '4242',
      home: '/',
    });
    expect([ran.exitCode, ran.stdout]).toEqual([0, expect.stringContaining(manifest.version)]);
  });

  it('starts with its settings, says that no gateway answers, and leaves the bundle as it was', async () => {
    const before = await bundle.listing();
    const ran = await bundle.run(agentScript(manifest));
    expect(ran.stdout, ran.stderr).toMatch(/"is_error":true/);
    expect(ran.exitCode).toBe(1);
    expect(await bundle.listing()).toBe(before);
  }, 180_000);
});
