import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HarnessManifest } from '../../../src/model/harness.ts';
import { agentScript, manifestOf } from './agent-script.ts';
import { type BundleVolume, bundleVolume } from './bundle-volume-run.ts';

/** How a program ends where no gateway answers. */
interface Ending {
  /** In its streams. */
  readonly says: RegExp;
  readonly exitCode?: number;
  /** Keeps it from asking for minutes, or from asking at all. */
  readonly env?: Readonly<Record<string, string>>;
}

const PROGRAMS: Readonly<Record<string, Ending>> = {
  'claude-code': {
    says: /"is_error":true.*Connection refused|Connection refused.*"is_error":true/,
    env: { CLAUDE_CODE_MAX_RETRIES: '1' },
  },
  codex: { says: /"type":"turn.failed"/ },
  // It goes on asking a gateway that is not there; without a key it says so at once.
  'gemini-cli': { says: /GEMINI_API_KEY/, exitCode: 41, env: { GEMINI_API_KEY: '' } },
  openhands: { says: /"kind": "RunEnded", "status": "error"/, env: { LLM_NUM_RETRIES: '1' } },
  'qwen-code': { says: /"is_error":true/ },
  opencode: { says: /"type":"error"/ },
};

describe.each(Object.entries(PROGRAMS))('the bundle of %s as a read-only volume', (id, ending) => {
  let bundle: BundleVolume;
  let manifest: HarnessManifest;
  beforeAll(async () => {
    bundle = await bundleVolume(id);
    manifest = await manifestOf(id);
  }, 20 * 60_000);
  afterAll(() => bundle.remove());

  it('tells the version of the manifest to a user without an account, in an image without a runtime', async () => {
    const ran = await bundle.run(`/opt/skillpair/harness/${id}/bin/${id} --version`, {
      user: '4242',
      home: '/',
    });
    expect([ran.exitCode, ran.stdout]).toEqual([0, expect.stringContaining(manifest.version)]);
  });

  it('starts with its settings, says that it cannot ask its model, and leaves the bundle as it was', async () => {
    const before = await bundle.listing();
    const ran = await bundle.run(agentScript(manifest, ending.env));
    expect(`${ran.stdout}\n${ran.stderr}`).toMatch(ending.says);
    expect(ran.exitCode).toBe(ending.exitCode ?? 1);
    expect(await bundle.listing()).toBe(before);
  }, 180_000);
});
