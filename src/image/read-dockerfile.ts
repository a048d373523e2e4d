import { readFile } from 'node:fs/promises';
import { err, type Result } from '../base/result.ts';
import { Fault } from '../model/fault.ts';
import type { Problem } from '../model/problem.ts';
import { type Dockerfile, parseDockerfile } from './dockerfile.ts';

/** Reads and parses a Dockerfile; an absent one is a problem like any other. */
export async function readDockerfile(path: string): Promise<Result<Dockerfile, readonly Problem[]>> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(path);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    const message =
      code === 'ENOENT'
        ? 'there is no Dockerfile'
        : `the Dockerfile cannot be read (${code ?? String(error)})`;
    return err([{ severity: 'error', message, where: { file: path } }]);
  }
  return parseDockerfile(path, new TextDecoder().decode(bytes));
}

/** The Fault that problems of a build come to when a trial needs the image all the same. */
export function problemsFault(problems: readonly Problem[]): Fault {
  const lines = problems.map(({ where, message, repair }) => {
    const place =
      where === undefined ? '' : `${where.file}${where.line === undefined ? '' : `:${where.line}`}: `;
    return `${place}${message}${repair === undefined ? '' : `; ${repair}`}`;
  });
  return new Fault('build-failed', 'build', lines.join('\n'));
}
