import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { EngineError } from '../../../src/engine/engine.ts';
import { trajectoryReader } from '../../../src/harness/registry.ts';
import { makeImageStore } from '../../../src/image/image-store.ts';
import { type ConditionName, ConfigurationName, RunId } from '../../../src/model/ids.ts';
import { trialId } from '../../../src/model/trial.ts';
import { type Person, skillFoldersOf, type TryScene, tryTask } from '../../../src/run/try-task.ts';
import { readPytestVerdict } from '../../../src/verifier/pytest-report.ts';
import { readScriptVerdict } from '../../../src/verifier/script-report.ts';
import { type Bench, leftOf, RUN, runBench, SKILL_FOLDERS, said } from './run-bench.ts';

/** Does what is typed, of which it knows one thing. */
const SHELL = {
  'shell -i': (_files: unknown, { input = '' }) => ({
    stdout: `typed ${input}`,
    exit: 7,
    changedFiles: input === 'answer' ? { '/workspace/out/answer.txt': '42\n' } : {},
  }),
};

/** Sits down, types `input`, and remembers what happened. */
function person(input: string) {
  const log: string[] = [];
  const scenes: TryScene[] = [];
  const stdout = new PassThrough();
  const who: Person = {
    stdin: 'pipe',
    shell: () => ['shell', '-i'],
    sitDown: (scene) => {
      log.push('sat down');
      scenes.push(scene);
      return { [Symbol.dispose]: () => void log.push('got up') };
    },
    terminal: { input: Readable.from([Buffer.from(input)]), stdout, stderr: new PassThrough() },
    ended: ({ exitCode }) => void log.push(`ended with ${exitCode}`),
  };
  return { who, log, scenes, typed: () => String(stdout.read() ?? '') };
}

async function tried(
  bench: Bench,
  who: Person,
  more: { condition?: ConditionName; stop?: AbortSignal } = {},
) {
  const { condition = 'with-skills', stop = new AbortController().signal } = more;
  const { engine, project, dir } = bench;
  const task = project.tasks[0]!;
  const harness = skillFoldersOf(
    [...project.harnesses.values()].find(({ manifest }) => manifest.id === 'agent')!,
  );
  const configuration = { name: ConfigurationName.parse('try'), harness: 'agent', env: {} };
  const parts = { task: task.id, condition, configuration: configuration.name, index: 1 };
  const images = makeImageStore({
    ...{ engine, project, projectRoot: dir, cacheDir: join(dir, 'cache'), proxyEnv: {} },
    ...{
      certificates: { caDir: '/nowhere' },
      emit: () => undefined,
      now: () => new Date(0),
      runSignal: stop,
    },
  });
  const services = {
    ...{ engine, images, host: await engine.info(stop), readerFor: trajectoryReader },
    ...{
      readVerdict: { pytest: readPytestVerdict, script: readScriptVerdict },
      discovery: project.discovery,
    },
    ...{ run: RunId.parse(RUN), owner: { pid: 4242, host: 'host' }, freeSpace: async () => undefined },
  };
  const evidenceDir = await mkdtemp(join(tmpdir(), 'skillpair-try-test-'));
  try {
    return await tryTask(
      services,
      {
        ...{
          trial: { id: trialId(parts), ...parts },
          attempt: 1,
          task,
          configuration,
          harness,
          evidenceDir,
          stop,
        },
        ...{ notice: () => undefined, leftBehind: () => undefined, verifications: 1 },
        inSlot: (work) => work(),
      },
      who,
    );
  } finally {
    await rm(evidenceDir, { recursive: true });
  }
}

describe("a person in the agent's place", () => {
  it('finds what an agent would find, and is verified like one whatever the shell ended with', async () => {
    await using bench = await runBench({ programs: SHELL });
    const { who, log, scenes, typed } = person('answer');
    expect(said(await tried(bench, who))).toBe('passed');
    expect(log).toEqual(['sat down', 'got up', 'ended with 7']);
    expect(scenes[0]?.skillFiles).toEqual(SKILL_FOLDERS.map((folder) => `${folder}/alpha/SKILL.md`));
    expect(typed()).toBe('typed answer');
    expect(await leftOf(bench)).toEqual([]);
  });

  it('fails where nothing was done', async () => {
    await using bench = await runBench({ programs: SHELL });
    expect(said(await tried(bench, person('').who))).toBe('failed');
    expect(await leftOf(bench)).toEqual([]);
  });

  it('finds no Skill in the condition without', async () => {
    await using bench = await runBench({ programs: SHELL });
    const { who, scenes } = person('');
    await tried(bench, who, { condition: 'no-skills' });
    expect(scenes[0]?.skillFiles).toEqual([]);
  });

  it('is never let into a container that does not hold what its condition says', async () => {
    await using bench = await runBench({ programs: SHELL });
    bench.engine.afterPut = ({ files }) => void files.delete(`${SKILL_FOLDERS[0]}/alpha/SKILL.md`);
    const { who, log } = person('answer');
    expect(said(await tried(bench, who))).toBe('condition-violated');
    expect(log).toEqual([]);
    expect(await leftOf(bench)).toEqual([]);
  });

  it('gets up also where the shell could not be started', async () => {
    await using bench = await runBench({ programs: SHELL });
    bench.engine.failNext('runTerminal', new EngineError('start container', 'other', 'no such program'));
    const { who, log } = person('answer');
    expect(said(await tried(bench, who))).toBe('start-failed');
    expect(log).toEqual(['sat down', 'got up']);
    expect(await leftOf(bench)).toEqual([]);
  });

  it('is not verified when stopped, and leaves nothing', async () => {
    const stop = new AbortController();
    const endless = {
      'shell -i': () => {
        stop.abort();
        return new Promise<never>(() => undefined);
      },
    };
    await using bench = await runBench({ programs: endless });
    const { who, log } = person('answer');
    expect(said(await tried(bench, who, { stop: stop.signal }))).toBe('cancelled');
    expect(log).toEqual(['sat down', 'got up']);
    expect(await leftOf(bench)).toEqual([]);
  });
});
