import { describe, expect, it } from 'vitest';
import type { Container } from '../../../src/engine/engine.ts';
import type { Restoration } from '../../../src/run/restoration.ts';
import { restore } from '../../../src/run/restore.ts';
import { makeFakeEngine } from '../../fakes/fake-engine.ts';

const never = new AbortController().signal;
const NOTHING: Restoration = { restore: [], hidden: [], remove: [], uninstall: [], empty: [], intruded: [] };
const many = Array.from(
  { length: 40 },
  (_, index) => `/usr/lib/python3/m${String(index).padStart(2, '0')}.py`,
);

async function restored(plan: Partial<Restoration>, changed: Record<string, string>) {
  const files = Object.fromEntries(many.map((path) => [path, `# ${path}`]));
  const engine = makeFakeEngine({ images: { 'task:1': { files }, 'snapshot:1': { files: changed } } });
  const make = async (tag: string) => {
    const image = await engine.image(tag, never);
    return engine.createContainer(
      {
        name: tag.replace(':', '-'),
        image: image?.id ?? '',
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
  };
  const snapshot = await make('snapshot:1');
  let lent = 0;
  const withPristine = async (use: (pristine: Container) => Promise<void>) => {
    lent += 1;
    await use(await make('task:1'));
  };
  const notices = await restore({ plan: { ...NOTHING, ...plan }, snapshot, withPristine, signal: never });
  const text = (path: string) => {
    const file = engine.containers.get(snapshot.id)?.files.get(path);
    return file?.kind === 'file' ? Buffer.from(file.content).toString() : file?.kind;
  };
  return { engine, notices, text, lent };
}

describe('restore', () => {
  it('makes no container of the task image when nothing has to come out of it', async () => {
    const { lent, notices } = await restored({ remove: ['/conftest.py'] }, { '/conftest.py': 'x = 1' });
    expect(lent).toBe(0);
    expect(notices.map(({ code }) => code)).toEqual(['removed']);
  });

  it('puts the image’s own bytes back', async () => {
    const { text } = await restored({ restore: many.slice(0, 2) }, { '/usr/lib/python3/m00.py': 'evil' });
    expect(text('/usr/lib/python3/m00.py')).toBe('# /usr/lib/python3/m00.py');
    expect(text('/usr/lib/python3/m01.py')).toBe('# /usr/lib/python3/m01.py');
  });

  it('reads the image once for many files, and names no more than a hundred of them', async () => {
    const { engine, text, notices } = await restored({ restore: many }, {});
    expect(many.map(text)).toEqual(many.map((path) => `# ${path}`));
    expect([engine.callsOf('get').length, engine.callsOf('export').length]).toEqual([0, 1]);
    expect(notices[0]?.paths).toHaveLength(40);
    const more = Array.from({ length: 150 }, (_, index) => `/usr/bin/p${index}`);
    const removed = await restored({ remove: more }, {});
    expect(removed.notices[0]?.paths).toHaveLength(100);
    expect(removed.notices[0]?.detail).toContain('150 paths');
  });
});
