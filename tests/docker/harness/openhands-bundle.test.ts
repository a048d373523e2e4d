import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HarnessManifest } from '../../../src/model/harness.ts';
import { agentScript, manifestOf } from './agent-script.ts';
import { type BundleVolume, bundleVolume } from './bundle-volume-run.ts';

let bundle: BundleVolume;
let manifest: HarnessManifest;

beforeAll(async () => {
  bundle = await bundleVolume('openhands');
  manifest = await manifestOf('openhands');
}, 20 * 60_000);

afterAll(() => bundle.remove());

describe('the OpenHands bundle as a read-only volume', () => {
  it('tells the version of the manifest to a user without an account, in an image without a runtime', async () => {
    const ran = await bundle.run('/opt/skillpair/harness/openhands/bin/openhands --version', {
      user: '4242',
      home: '/',
    });
    expect([ran.exitCode, ran.stdout]).toEqual([0, expect.stringContaining(manifest.version)]);
  });

  it('starts with its settings, says that no gateway answers, and leaves the bundle as it was', async () => {
    const before = await bundle.listing();
    const ran = await bundle.run(agentScript(manifest, { LLM_NUM_RETRIES: '1' }));
    expect(ran.stdout, ran.stderr).toMatch(/"kind": "RunEnded", "status": "error"/);
    expect(ran.exitCode).toBe(1);
    expect(await bundle.listing()).toBe(before);
  }, 120_000);
});
