import { Readable, Writable } from 'node:stream';
import type { OutputStream } from '../../src/cli/environment.ts';
import { runProgram } from '../../src/cli/program.ts';

/** What a command line came to. */
export interface ProgramResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the program in this process, in a folder, with no terminal and no environment but the given one. */
export async function program(
  argv: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<ProgramResult> {
  const [stdout, stderr] = [kept(), kept()];
  const exitCode = await runProgram(argv, {
    cwd,
    env,
    stdout: stdout.output,
    stderr: stderr.output,
    now: () => new Date(),
    onSignal: () => () => undefined,
    stdin: { stream: Readable.from([]) },
  });
  return { exitCode, stdout: stdout.text(), stderr: stderr.text() };
}

function kept(): { readonly output: OutputStream; text(): string } {
  const chunks: string[] = [];
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      chunks.push(String(chunk));
      done();
    },
  });
  return { output: { stream, isTty: false, columns: 200 }, text: () => chunks.join('') };
}
