import { writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { engineErrorFrom } from '../../src/engine/docker/engine-error.ts';
import {
  type Container,
  type ContainerSpec,
  EngineError,
  type ImageId,
  type PathChange,
} from '../../src/engine/engine.ts';
import type {
  MainExit,
  MainLimits,
  RunMainOptions,
  RunTerminalOptions,
} from '../../src/engine/main-process.ts';
import {
  cleanPath,
  type FakeFiles,
  type FilesInput,
  filesChanged,
  tarOf,
  untar,
  writeFiles,
} from './fake-files.ts';
import type { FakeImage } from './fake-image.ts';
import { type FakeMount, keepView, mountedView, setMounted } from './fake-mounts.ts';

/** What a scripted main process does; everything has a default: exit 0, silent, at once, changes nothing. */
export interface FakeExit {
  readonly exit?: number;
  readonly stdout?: string | Uint8Array;
  readonly stderr?: string | Uint8Array;
  readonly changedFiles?: FilesInput;
  /** Virtual time: one that is above the time limit ends as `timed out`, without anybody waiting. */
  readonly durationMs?: number;
  readonly outOfMemory?: boolean;
  /** Ended from outside by this signal. */
  readonly signal?: string;
  /** Why the streams on disk may lack a part. */
  readonly outputFault?: string;
}

/** A container's spec as its main process finds it: with all that was typed, and the window. */
export interface FakeSpec extends ContainerSpec {
  readonly input?: string;
  readonly size?: { readonly columns: number; readonly rows: number };
}

/**
 * A scripted main process. `files` is the container's file system, volumes included, and may be changed in place
 * instead of by `changedFiles`. One that waits is ended by `signal`, which fires at an abort.
 */
export type FakeProgram = (
  files: FakeFiles,
  spec: FakeSpec,
  signal: AbortSignal,
) => FakeExit | Promise<FakeExit>;

/** What a container needs of its engine. */
export interface FakeHost {
  call(operation: string, detail: string, signal?: AbortSignal): void;
  program(spec: ContainerSpec, image: FakeImage): FakeProgram;
  commit(container: FakeContainer, labels: Readonly<Record<string, string>>): ImageId;
  put(container: FakeContainer): void;
  forget(container: FakeContainer): void;
}

/** A container of the fake engine. Its files are open to tests. */
export class FakeContainer implements Container {
  readonly id: string;
  readonly name: string;
  readonly spec: ContainerSpec;
  readonly image: FakeImage;
  /** The container's own files; those of volumes are not among them. */
  readonly files: FakeFiles;
  state: 'created' | 'running' | 'exited' | 'removed' = 'created';
  readonly #host: FakeHost;
  readonly #mounts: readonly FakeMount[];

  constructor(
    host: FakeHost,
    made: { id: string; spec: ContainerSpec; image: FakeImage; mounts: readonly FakeMount[] },
  ) {
    this.#host = host;
    this.id = made.id;
    this.name = made.spec.name;
    this.spec = made.spec;
    this.image = made.image;
    this.files = new Map(made.image.files);
    this.#mounts = made.mounts;
    for (const { target } of made.spec.mounts) writeFiles(this.files, { [`${target}/`]: '' });
  }

  async put(
    tar: Readable | (() => Readable) | Uint8Array,
    targetDir: string,
    signal: AbortSignal,
  ): Promise<void> {
    const operation = `put into ${targetDir}`;
    const given = typeof tar === 'function' ? tar() : tar;
    const source = given instanceof Uint8Array ? Readable.from([given]) : given;
    try {
      this.#call('put', targetDir, signal);
      const folder = cleanPath(targetDir);
      if (folder !== '/' && mountedView(this.files, this.#mounts).get(folder)?.kind !== 'folder') {
        throw new EngineError(
          operation,
          'not-found',
          `Could not find the file ${targetDir} in container ${this.id}`,
        );
      }
      for (const [path, file] of await untar(source)) {
        setMounted(cleanPath(`${folder}/${path}`), file, { own: this.files, mounts: this.#mounts });
      }
      this.#host.put(this);
    } catch (error) {
      source.destroy();
      throw engineErrorFrom(operation, error);
    }
  }

  async get(path: string, signal: AbortSignal): Promise<Readable | undefined> {
    this.#call('get', path, signal);
    return tarOf(mountedView(this.files, this.#mounts), path);
  }

  async changes(signal: AbortSignal): Promise<readonly PathChange[]> {
    this.#call('changes', this.name, signal);
    return filesChanged(this.image.files, this.files);
  }

  async writtenBytes(signal: AbortSignal): Promise<number> {
    this.#call('writtenBytes', this.name, signal);
    const own = [...this.files].filter(([path, file]) => this.image.files.get(path) !== file);
    return own.reduce((sum, [, { content }]) => sum + content.byteLength, 0);
  }

  async runMain(options: RunMainOptions): Promise<MainExit> {
    this.#call('runMain', this.spec.command.join(' '), options.signal);
    const ran = await this.#run(this.spec, options);
    const { exit, stdout, stderr } = cutAt(options.outputLimitBytes, ran);
    await Promise.all([writeFile(options.stdoutPath, stdout), writeFile(options.stderrPath, stderr)]);
    return exit;
  }

  /** A scripted process is told all its input at once, when that has ended. */
  async runTerminal(options: RunTerminalOptions): Promise<MainExit> {
    this.#call('runTerminal', this.spec.command.join(' '), options.signal);
    const isTerminal = this.spec.stdin === 'terminal';
    if (this.spec.stdin === undefined)
      throw new EngineError('attach', 'other', 'the container has no standard input');
    const input = await text(options.input);
    const size = isTerminal ? options.size?.() : undefined;
    const spec = { ...this.spec, input, ...(size === undefined ? {} : { size }) };
    const { exit, stdout, stderr } = await this.#run(spec, options);
    options.stdout.write(stdout);
    (isTerminal ? options.stdout : options.stderr).write(stderr);
    return exit;
  }

  async commit(labels: Readonly<Record<string, string>>, signal: AbortSignal): Promise<ImageId> {
    this.#call('commit', this.name, signal);
    return this.#host.commit(this, labels);
  }

  async export(signal: AbortSignal): Promise<Readable> {
    this.#call('export', this.name, signal);
    return tarOf(this.files, '/') as Readable;
  }

  async remove(): Promise<void> {
    this.#host.call('removeContainer', this.name);
    if (this.state === 'removed') return;
    this.state = 'removed';
    this.#host.forget(this);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.remove();
  }

  #call(operation: string, detail: string, signal: AbortSignal): void {
    this.#host.call(operation, detail, signal);
    if (this.state === 'removed')
      throw new EngineError(operation, 'not-found', `No such container: ${this.id}`);
  }

  async #run(spec: FakeSpec, limits: MainLimits) {
    this.state = 'running';
    const view = mountedView(this.files, this.#mounts);
    const result = await this.#race(view, spec, limits);
    const { changedFiles = {}, stdout = '', stderr = '' } = result === 'aborted' ? {} : result;
    keepView(writeFiles(view, changedFiles), this.files, this.#mounts);
    this.state = 'exited';
    const [stdoutBytes, stderrBytes] = [Buffer.byteLength(stdout), Buffer.byteLength(stderr)];
    const fault = result === 'aborted' ? undefined : result.outputFault;
    const outputFault = fault === undefined ? {} : { outputFault: fault };
    const exit = { ...mainExit(result, limits), stdoutBytes, stderrBytes, ...outputFault };
    return { exit, stdout, stderr };
  }

  async #race(view: FakeFiles, spec: FakeSpec, options: MainLimits): Promise<FakeExit | 'aborted'> {
    const program = this.#host.program(this.spec, this.image);
    const aborted = new Promise<'aborted'>((resolve) => {
      options.signal.addEventListener('abort', () => resolve('aborted'), { once: true });
    });
    return Promise.race([program(view, spec, options.signal), aborted]);
  }
}

interface Ran {
  readonly exit: MainExit;
  readonly stdout: string | Uint8Array;
  readonly stderr: string | Uint8Array;
}

/** Standard output comes first here. */
function cutAt(limit: number | undefined, ran: Ran): Ran {
  const { exit, stdout, stderr } = ran;
  if (limit === undefined || exit.stdoutBytes + exit.stderrBytes <= limit) return ran;
  const kept = [Buffer.from(stdout).subarray(0, limit), Buffer.from(stderr)] as const;
  const [stdoutBytes, stderrBytes] = [
    kept[0].byteLength,
    Math.min(limit - kept[0].byteLength, exit.stderrBytes),
  ];
  return {
    exit: {
      ...{ exitCode: null, signal: 'SIGTERM', outOfMemory: false, endedBy: 'output' },
      ...{ durationMs: exit.durationMs, stdoutBytes, stderrBytes, outputFault: `more than ${limit} bytes` },
    },
    stdout: kept[0],
    stderr: kept[1].subarray(0, stderrBytes),
  };
}

function mainExit(
  result: FakeExit | 'aborted',
  options: MainLimits,
): Omit<MainExit, 'stdoutBytes' | 'stderrBytes'> {
  if (result === 'aborted') {
    return { exitCode: null, signal: 'SIGTERM', outOfMemory: false, endedBy: 'abort', durationMs: 1 };
  }
  const { durationMs = 1, exit = 0, outOfMemory = false, signal } = result;
  if (durationMs > options.timeoutMs) {
    const end = { exitCode: null, signal: 'SIGTERM', outOfMemory: false, endedBy: 'timeout' } as const;
    return { ...end, durationMs: options.timeoutMs };
  }
  if (signal !== undefined) return { exitCode: null, signal, outOfMemory, durationMs };
  return { exitCode: outOfMemory ? null : exit, outOfMemory, durationMs };
}
