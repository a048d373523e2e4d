import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { HarnessReading, ReadingInput } from '../../../src/harness/harness.ts';
import { trajectoryReader } from '../../../src/harness/registry.ts';
import type { HarnessManifest } from '../../../src/model/harness.ts';
import type { ModelUse } from '../../../src/model/model-use.ts';
import type { Skill } from '../../../src/model/skill.ts';
import { agent } from './harness-reading.ts';

/** A Skill of that folder name; `title` is its frontmatter's name. */
export function skillNamed(name: string, title = name): Skill {
  return {
    name,
    title,
    description: 'x',
    dir: `/skills/${name}`,
    digest: `sha256:${'0'.repeat(64)}`,
    entries: [],
  };
}

/** What the gateway saw, with these counts. */
export function modelUse(more: Partial<ModelUse> = {}): ModelUse {
  return {
    mode: 'scripted',
    provider: 'script',
    requests: 2,
    failedRequests: 0,
    retries: 0,
    waitedMs: 0,
    askedModels: ['fake-model'],
    servedModels: ['fake-model'],
    usage: {},
    removedTools: [],
    ...more,
  };
}

/** What an attempt left behind, besides its stdout. */
export interface Left
  extends Partial<Omit<ReadingInput, 'stdoutPath' | 'stderrPath' | 'sessionDir' | 'firstRequestPath'>> {
  readonly stderr?: string;
  readonly firstRequest?: unknown;
  /** Contents by path below the session folder. */
  readonly session?: Readonly<Record<string, string>>;
}

/** One event a line. */
export function lines(...events: readonly unknown[]): string {
  return events.map((event) => `${typeof event === 'string' ? event : JSON.stringify(event)}\n`).join('');
}

/** Reads a stream as that program's, with Skills `alpha` and `beta` staged unless said otherwise. */
export async function readProgram(
  kind: HarnessManifest['trajectory'],
  stdout: string,
  left: Left = {},
): Promise<HarnessReading> {
  const folder = await mkdtemp(join(tmpdir(), 'skillpair-program-'));
  try {
    const { stderr = '', firstRequest, session, ...more } = left;
    const put = async (name: string, content: string) => {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), content);
      return join(folder, name);
    };
    for (const [path, content] of Object.entries(session ?? {})) await put(`session/${path}`, content);
    return await trajectoryReader(kind).read({
      stdoutPath: await put('stdout', stdout),
      stderrPath: await put('stderr', stderr),
      agent: agent('completed', 0),
      skills: [skillNamed('alpha'), skillNamed('beta')],
      staged: ['alpha', 'beta'],
      ...(session === undefined ? {} : { sessionDir: join(folder, 'session') }),
      ...(firstRequest === undefined
        ? {}
        : { firstRequestPath: await put('first-request.json', JSON.stringify(firstRequest)) }),
      ...more,
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The codes of a reading's notices. */
export function noticeCodes({ notices = [] }: HarnessReading): string[] {
  return notices.map(({ code }) => code);
}
