import { type ChildProcess, spawn } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import { TextTail } from './text-tail.ts';

const TAIL_BYTES = 2000;
const PIPES_CLOSE_MS = 250;

/** Where and with what a command block runs. */
export interface CommandSetting {
  readonly workingDir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Ends the command, with all that it started in its process group. */
  readonly signal: AbortSignal;
}

/** How a command block ended. */
export interface CommandResult {
  /** Null: a signal ended it. */
  readonly exitCode: number | null;
  readonly ms: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a block with `/bin/sh -eu`; no input. Resolves when the shell is gone, whatever it left running. */
export function runCommand(command: string, setting: CommandSetting): Promise<CommandResult> {
  const started = performance.now();
  const [stdout, stderr] = [new TextTail(TAIL_BYTES), new TextTail(TAIL_BYTES)];
  const shell = spawn('/bin/sh', ['-eu', '-c', command], {
    cwd: setting.workingDir,
    env: setting.env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  shell.stdout.on('data', (chunk: Buffer) => stdout.add(chunk));
  shell.stderr.on('data', (chunk: Buffer) => stderr.add(chunk));
  const end = () => killGroup(shell);
  setting.signal.addEventListener('abort', end);
  if (setting.signal.aborted) end();
  return new Promise((resolve, reject) => {
    shell.once('error', reject);
    // A daemon that holds the pipes open must not hold the agent: what comes later than this is not waited for.
    shell.once('exit', () => setTimeout(() => closePipes(shell), PIPES_CLOSE_MS));
    shell.once('close', (exitCode) => {
      setting.signal.removeEventListener('abort', end);
      const ms = Math.round(performance.now() - started);
      resolve({ exitCode, ms, stdout: stdout.text(), stderr: stderr.text() });
    });
  });
}

function closePipes(shell: ChildProcess): void {
  shell.stdout?.destroy();
  shell.stderr?.destroy();
}

function killGroup(shell: ChildProcess): void {
  if (shell.pid === undefined) return;
  try {
    process.kill(-shell.pid, 'SIGKILL');
  } catch {
    // Already gone.
  }
}
