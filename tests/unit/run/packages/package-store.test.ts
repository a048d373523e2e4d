import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { packagesDir } from '../../../../src/run/packages/package-file.ts';
import { makePackageStore } from '../../../../src/run/packages/package-store.ts';
import type { FakeExit, FakeProgram } from '../../../fakes/fake-container.ts';
import { type Bench, leftOf, runBench, said, talk, taskYaml } from '../run-bench.ts';

const CACHED = '/root/.cache/pip/judge';
const NETWORKED = 'isolation: snapshot, network: internet';
const REWARD = { '/logs/verifier/reward.txt': '1' };

describe('the packages of a verifier', () => {
  let bench: Bench;
  afterEach(() => bench[Symbol.asyncDispose]());

  /** A verifier that downloads what it does not find; `each` says how its goes end, in order. */
  const open = async (
    each: readonly FakeExit[] = [],
    verifier = NETWORKED,
    programs: Readonly<Record<string, FakeProgram>> = {},
  ) => {
    const seen = { goes: 0, downloads: 0, content: [] as string[] };
    const program: FakeProgram = (files) => {
      const exit = each[seen.goes++] ?? {};
      const found = files.get(CACHED)?.content.toString();
      if (found === undefined) seen.downloads += 1;
      seen.content.push(found ?? 'none');
      const changedFiles = found === undefined ? { ...REWARD, [CACHED]: 'of the index' } : REWARD;
      return { changedFiles, ...exit };
    };
    bench = await runBench({
      experiment: 'configurations: [{ harness: agent }]\nattempts: { max: 1 }\nconcurrency: 1\n',
      files: { 'tasks/demo/task.yaml': taskYaml(verifier) },
      base: { '/root/': '' },
      programs: { 'bash /tests/test.sh': program, ...programs },
    });
    return seen;
  };
  const words: string[] = [];
  const run = (verifications = 2, stop?: AbortController) => {
    words.length = 0;
    bench.records.length = 0;
    const cacheDir = join(bench.dir, 'cache');
    const say = (message: string) => words.push(message);
    const packages = makePackageStore({ cacheDir, verifications: () => verifications, say });
    return bench.run({ services: { packages }, ...(stop === undefined ? {} : { stop }) });
  };
  const packages = () => bench.records.map((record) => record.packages);

  it('are downloaded once, in a container of the image alone; both arms get the same, in later runs too', async () => {
    const seen = await open();
    await run();
    expect(seen).toEqual({ goes: 3, downloads: 1, content: ['none', 'of the index', 'of the index'] });
    expect(bench.records.map(({ outcome }) => said(outcome))).toEqual(['passed', 'passed']);
    const [kept] = packages();
    expect(kept).toMatchObject({ files: 1 });
    expect(packages()).toEqual([kept, kept]);
    await run(1);
    expect(seen).toMatchObject({ goes: 5, downloads: 1 });
    expect(packages()).toEqual([kept, kept]);
    expect(words).toEqual([]);
    expect(await leftOf(bench)).toEqual([]);
  });

  it('are not made where the verifier runs once', async () => {
    const seen = await open();
    await run(1);
    expect(seen).toMatchObject({ goes: 2, downloads: 2 });
    expect(packages()).toEqual([undefined, undefined]);
  });

  it('are not asked for by a verifier without a network', async () => {
    const seen = await open([], 'isolation: snapshot');
    await run();
    expect(seen.goes).toBe(2);
    expect(packages()).toEqual([undefined, undefined]);
  });

  it.each([
    ['could not set itself up', { stdout: 'curl: (6) Could not resolve host: index.example' }],
    ['ran out of its time', { durationMs: 31_000 }],
  ])('are not kept where the verifier %s, and the trials go on without', async (_, first) => {
    const seen = await open([first]);
    await run();
    expect(seen).toMatchObject({ goes: 3, downloads: 3 });
    expect(bench.records.map(({ outcome }) => said(outcome))).toEqual(['passed', 'passed']);
    expect(packages()).toEqual([undefined, undefined]);
    expect(words).toEqual([
      expect.stringMatching(/^the verifier of task demo downloads its packages in every trial: ./),
    ]);
    expect(await leftOf(bench)).toEqual([]);
  });

  it('that are damaged are made anew, and named', async () => {
    await open();
    await run();
    const dir = packagesDir(join(bench.dir, 'cache'));
    const tar = (await readdir(dir)).find((name) => name.endsWith('.tar')) ?? '';
    await writeFile(join(dir, tar), 'something else');
    await run();
    expect(words).toEqual([`packages of task demo are made anew: ${join(dir, tar)} is not what was written`]);
    expect(packages()[0]).toMatchObject({ files: 1 });
  });

  it('that were damaged after they were found leave a trial without a verdict, never with half of them', async () => {
    let agents = 0;
    const dir = () => packagesDir(join(bench.dir, 'cache'));
    const tarName = async () => (await readdir(dir())).find((name) => name.endsWith('.tar')) ?? '';
    const agent: FakeProgram = async () => {
      if (++agents === 2) await writeFile(join(dir(), await tarName()), 'something else');
      return { stdout: talk() };
    };
    await open([], NETWORKED, { agent });
    await run();
    expect(bench.records.map(({ outcome }) => said(outcome))).toEqual(['passed', 'verifier-error']);
    const detail = expect.stringContaining(join(dir(), await tarName()));
    expect(bench.records[1]?.outcome).toMatchObject({ detail });
  });

  it('leave nothing behind when the run is ended while they are made', async () => {
    const stop = new AbortController();
    await open([], NETWORKED, {
      'bash /tests/test.sh': (_files, _spec, signal) => {
        stop.abort();
        return new Promise((resolve) => signal.addEventListener('abort', () => resolve({}), { once: true }));
      },
    });
    await run(2, stop);
    expect(await leftOf(bench)).toEqual([]);
    // But the word that this process may need them, which holds until it ends.
    const kept = await readdir(packagesDir(join(bench.dir, 'cache')));
    expect(kept.filter((name) => !name.endsWith('.used'))).toEqual([]);
    expect(words).toEqual([]);
  });
});
