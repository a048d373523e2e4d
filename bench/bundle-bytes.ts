import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '../src/base/random.ts';
import { packTar } from '../src/engine/archive.ts';
import { readContext, toTarEntry } from '../src/image/context-entries.ts';
import { loadSkill } from '../src/load/skills.ts';
import { atMost, type Figure, median, timed } from './support/figure.ts';

const BUNDLE = { files: 150, bytes: 2_500_000 };
const CONTEXT = { files: 600, bytes: 60_000_000 };
const ROUNDS = 15;

/** Bundles and build contexts on their way from the disk: the tar of one, the digests of the other, against reading the same bytes. */
export async function bundleBytes(): Promise<readonly Figure[]> {
  const base = await mkdtemp(join(tmpdir(), 'skillpair-bench-bytes-'));
  try {
    const [bundle, context] = [join(base, 'bundle'), join(base, 'context')];
    await writeFiles(bundle, BUNDLE);
    await writeFile(
      join(bundle, 'SKILL.md'),
      '---\nname: bundle\ndescription: Made for a benchmark.\n---\nNothing.\n',
    );
    await writeFiles(context, CONTEXT);
    const { skill } = await loadSkill(bundle);
    const entries = (skill?.entries ?? []).map((entry) => toTarEntry(asContext(entry)));
    const tar = await contest(
      () => drain(entries),
      () => readAll(bundle, () => undefined),
    );
    const hashing = await contest(
      () => readContext(context),
      () => readAll(context, (bytes) => createHash('sha256').update(bytes).digest('hex')),
    );
    return [
      atMost(50, { name: 'tar of a bundle, 150 files and 2.5 MB', figure: tar.ours, unit: 'ms' }),
      {
        name: '  against reading its files one by one',
        figure: tar.floor,
        unit: 'ms',
        ratio: tar.ours / tar.floor,
      },
      atMost(1.2, {
        name: 'digests of a build context, 600 files and 60 MB',
        figure: hashing.ours,
        unit: 'ms',
        ratio: hashing.ours / hashing.floor,
      }),
      { name: '  reading and hashing its files one by one', figure: hashing.floor, unit: 'ms' },
    ];
  } finally {
    await rm(base, { recursive: true, force: true });
  }
}

type Entry = NonNullable<Awaited<ReturnType<typeof loadSkill>>['skill']>['entries'][number];

function asContext({ path, kind, mode, size, hostPath }: Entry) {
  return { path, kind, mode, size, ...(kind === 'file' ? { content: { hostPath, size } } : {}) };
}

/** Rounds of both alternate, so that whatever else the machine does meets both. */
async function contest(ours: () => Promise<unknown>, floor: () => Promise<unknown>) {
  const rounds: { ours: number; floor: number }[] = [];
  await ours();
  await floor();
  for (let round = 0; round < ROUNDS; round++)
    rounds.push({ ours: await timed(ours), floor: await timed(floor) });
  return {
    ours: median(rounds.map((round) => round.ours)),
    floor: median(rounds.map((round) => round.floor)),
  };
}

async function drain(entries: Parameters<typeof packTar>[0]): Promise<void> {
  for await (const _chunk of packTar(entries));
}

async function readAll(dir: string, use: (bytes: Uint8Array) => unknown): Promise<void> {
  const found = await readdir(dir, { recursive: true, withFileTypes: true });
  for (const entry of found) if (entry.isFile()) use(await readFile(join(entry.parentPath, entry.name)));
}

/** Files of a few sizes that add up; most are small, as in real folders. */
async function writeFiles(dir: string, { files, bytes }: { readonly files: number; readonly bytes: number }) {
  const random = seededRandom(files);
  const weights = Array.from({ length: files }, () => random() ** 4);
  const sum = weights.reduce((total, weight) => total + weight, 0);
  for (const [at, weight] of weights.entries()) {
    const folder = join(dir, `part-${at % 12}`);
    await mkdir(folder, { recursive: true });
    const size = Math.max(1, Math.round((bytes * weight) / sum));
    await writeFile(join(folder, `file-${at}.txt`), Buffer.alloc(size, `line ${at} of a made file\n`));
  }
}
