import { posix } from 'node:path';
import type { Readable } from 'node:stream';
import { type Container, type ContainerSpec, EngineError, type ImageId, type PathChange } from '../engine.ts';
import type { MainExit, RunMainOptions, RunTerminalOptions } from '../main-process.ts';
import type { ApiCall, DockerApi } from './api.ts';
import { download } from './download.ts';
import { removeContainer } from './remove-container.ts';
import { runMain } from './run-main.ts';
import { runTerminal } from './run-terminal.ts';
import { type Upload, upload } from './upload.ts';

/** The removal's own budget: it must work when the time of the trial is up. */
const REMOVE_BUDGET_MS = 60_000;
/** What moves or compares all that a container holds. */
const BULK_MS = 600_000;
/** Where the engine mounts its init, wherever `/sbin` leads; the empty file below the mount is not the program's work. */
const ENGINE_FILES = new Set(['/sbin/docker-init', '/usr/sbin/docker-init']);
const CHANGE_KINDS = ['modified', 'added', 'deleted'] as const;

/** The lease on one container of a Docker engine. */
export class DockerContainer implements Container {
  readonly id: string;
  readonly name: string;
  readonly #api: DockerApi;
  readonly #isTerminal: boolean;
  #removal: Promise<void> | undefined;

  constructor(api: DockerApi, id: string, spec: Pick<ContainerSpec, 'name' | 'stdin'>) {
    this.#api = api;
    this.id = id;
    this.name = spec.name;
    this.#isTerminal = spec.stdin === 'terminal';
  }

  async put(tar: Upload | Uint8Array, targetDir: string, signal: AbortSignal): Promise<void> {
    const call = {
      operation: `put into ${targetDir}`,
      method: 'PUT',
      path: `/containers/${this.id}/archive`,
      query: { path: targetDir },
      signal,
      withinMs: BULK_MS,
    } as const satisfies ApiCall;
    if (tar instanceof Uint8Array) {
      const file = Buffer.from(tar.buffer, tar.byteOffset, tar.byteLength);
      await this.#api.run({ ...call, file, again: 'always' });
      return;
    }
    const answer = await upload(this.#api, { ...call, file: tar });
    answer.resume();
  }

  async get(path: string, signal: AbortSignal): Promise<Readable | undefined> {
    try {
      return await download(this.#api, {
        operation: `get ${path}`,
        method: 'GET',
        path: `/containers/${this.id}/archive`,
        query: { path },
        signal,
      });
    } catch (error) {
      if (isAbsentPath(error) || isCircle(error)) return undefined;
      throw error;
    }
  }

  async changes(signal: AbortSignal): Promise<readonly PathChange[]> {
    const changes = await this.#api.json<{ Path: string; Kind: 0 | 1 | 2 }[] | null>({
      operation: 'list changes',
      method: 'GET',
      path: `/containers/${this.id}/changes`,
      signal,
      withinMs: BULK_MS,
    });
    return withoutEngineFiles(
      (changes ?? []).map(({ Path, Kind }) => ({ path: Path, kind: CHANGE_KINDS[Kind] })),
    );
  }

  async writtenBytes(signal: AbortSignal): Promise<number | undefined> {
    const { SizeRw: bytes } = await this.#api.json<{ SizeRw?: number | null }>({
      operation: 'measure container',
      method: 'GET',
      path: `/containers/${this.id}/json`,
      query: { size: true },
      signal,
    });
    // The engine says -1 where it could not walk.
    return typeof bytes === 'number' && bytes >= 0 ? bytes : undefined;
  }

  runMain(options: RunMainOptions): Promise<MainExit> {
    return runMain(this.#api, this.id, options);
  }

  runTerminal(options: RunTerminalOptions): Promise<MainExit> {
    return runTerminal(this.#api, { id: this.id, isTerminal: this.#isTerminal }, options);
  }

  async commit(labels: Readonly<Record<string, string>>, signal: AbortSignal): Promise<ImageId> {
    const answer = await this.#api.json<{ Id: string }>({
      operation: 'commit',
      method: 'POST',
      path: '/commit',
      query: { container: this.id, pause: false },
      body: { Labels: labels },
      signal,
      withinMs: BULK_MS,
      // A second image of the same is found by its labels at the end of the run.
      again: 'always',
    });
    return answer.Id;
  }

  export(signal: AbortSignal): Promise<Readable> {
    const path = `/containers/${this.id}/export`;
    return download(this.#api, { operation: 'export', method: 'GET', path, signal });
  }

  async remove(): Promise<void> {
    this.#removal ??= removeContainer(this.#api, this.id, AbortSignal.timeout(REMOVE_BUDGET_MS));
    try {
      await this.#removal;
    } catch (error) {
      this.#removal = undefined;
      throw error;
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.remove();
  }
}

/** Nor are the folders changed above it, where it is all that is new: were one a link now, nothing would be listed below it. */
function withoutEngineFiles(changes: readonly PathChange[]): readonly PathChange[] {
  const isEngines = ({ path, kind }: PathChange) => kind === 'added' && ENGINE_FILES.has(path);
  const above = new Set(changes.filter(isEngines).flatMap(({ path }) => foldersAbove(path)));
  const isAbove = ({ path, kind }: PathChange) => kind === 'modified' && above.has(path);
  const others = changes.filter((change) => !isEngines(change) && !isAbove(change));
  return changes.filter(
    (change) =>
      !isEngines(change) &&
      (!isAbove(change) || others.some(({ path }) => path.startsWith(`${change.path}/`))),
  );
}

function foldersAbove(path: string): string[] {
  const parent = posix.dirname(path);
  return parent === '/' ? [] : [parent, ...foldersAbove(parent)];
}

/** A link that leads back to itself: the engine does not give even the link, and where it leads there is nothing. */
function isCircle(error: unknown): boolean {
  return error instanceof EngineError && /\btoo many links\b/.test(error.message);
}

/** 404 says two things; only the missing path is an answer. */
function isAbsentPath(error: unknown): boolean {
  return (
    error instanceof EngineError && error.kind === 'not-found' && !/no such container/i.test(error.message)
  );
}
