import type { Readable } from 'node:stream';
import { pack } from 'tar-stream';
import { describe, expect, it } from 'vitest';
import type { PathChange } from '../../../src/engine/engine.ts';
import { attest } from '../../../src/run/attest.ts';
import type { PlacedEntry } from '../../../src/run/placement.ts';
import { makeFakeEngine } from '../../fakes/fake-engine.ts';
import { stoppedContainer } from '../../support/raw-tar.ts';

const never = new AbortController().signal;
const SKILLS = '/root/.claude/skills';
/** Of the bytes "x", by sha256sum. */
const DIGEST_OF_X = 'sha256:2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881';

const placed: PlacedEntry[] = [
  { path: 'a/scripts', kind: 'folder', mode: 0o755, size: 0, hostPath: '/host' },
  { path: 'a/SKILL.md', kind: 'file', mode: 0o644, size: 1, digest: DIGEST_OF_X, hostPath: '/host' },
].map((entry) => ({ ...entry, kind: entry.kind as 'file', containerPath: `${SKILLS}/${entry.path}` }));

async function violations(condition: 'with-skills' | 'no-skills', ...added: string[]) {
  const isWith = condition === 'with-skills';
  const files: Record<string, string> = isWith
    ? { [`${SKILLS}/a/scripts/`]: '', [`${SKILLS}/a/SKILL.md`]: 'x' }
    : {};
  const engine = makeFakeEngine({ images: { 'task:1': { files } } });
  const image = (await engine.image('task:1', never))?.id ?? '';
  const container = await engine.createContainer(
    {
      name: 'agent',
      image,
      command: ['true'],
      env: {},
      labels: {},
      cpus: 1,
      memoryBytes: 1 << 20,
      pids: 10,
      network: 'none',
      mounts: [],
    },
    never,
  );
  const changes = added.map((path): PathChange => ({ path, kind: 'added' }));
  const expected = {
    discoveryFolders: [SKILLS],
    targets: isWith ? [SKILLS] : [],
    placed: isWith ? placed : [],
  };
  return (await attest(container, { ...expected, changes }, never)).violations;
}

/** A folder of Skills into which somebody put a file that claims eight terabytes; none of its bytes ever comes. */
function withEndlessFile(): Readable {
  const tar = pack();
  tar.entry({ name: 'skills', type: 'directory' });
  tar.entry({ name: 'skills/holes', size: 2 ** 43 });
  return tar as unknown as Readable;
}

describe('attest', () => {
  it('does not read on in a target at a file that is larger than all bundles can be', async () => {
    const container = stoppedContainer({ [SKILLS]: withEndlessFile });
    const expected = { discoveryFolders: [SKILLS], targets: [SKILLS], placed, changes: [] };
    const { violations } = await attest(container, expected, never);
    expect(violations[0]).toBe(`${SKILLS}/holes: so large that neither it nor what follows was read`);
  });

  it('finds nothing to say of a container that holds exactly its condition', async () => {
    expect(await violations('no-skills')).toEqual([]);
    expect(await violations('with-skills')).toEqual([]);
  });

  it('names what an agent added to a discovery folder, in either condition', async () => {
    const path = `${SKILLS}/b/SKILL.md`;
    expect(await violations('no-skills', path)).toEqual([`${path}: not part of the condition`]);
    expect(await violations('with-skills', path)).toEqual([`${path}: not part of the condition`]);
  });

  it('takes byte code of a bundle’s own script as use of the Skill, and byte code anywhere else as a stranger', async () => {
    const cache = `${SKILLS}/a/scripts/__pycache__`;
    const used = [cache, `${cache}/dialogue_graph.cpython-311.pyc`];
    expect(await violations('with-skills', ...used)).toEqual([]);
    expect(await violations('no-skills', ...used)).toHaveLength(2);
    expect(await violations('with-skills', `${SKILLS}/b/__pycache__/x.cpython-311.pyc`)).toHaveLength(1);
  });
});
