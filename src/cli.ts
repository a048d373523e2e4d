import type { Environment, OutputStream } from './cli/environment.ts';
import { runProgram } from './cli/program.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

function output(stream: NodeJS.WriteStream): OutputStream {
  return {
    stream,
    isTty: stream.isTTY === true && process.env.TERM !== 'dumb',
    columns: stream.columns ?? 120,
  };
}

const environment: Environment = {
  cwd: process.cwd(),
  env: process.env,
  stdout: output(process.stdout),
  stderr: output(process.stderr),
  now: () => new Date(),
  onSignal: (listener) => {
    const listeners = SIGNALS.map((signal) => [signal, () => listener(signal)] as const);
    for (const [signal, call] of listeners) process.on(signal, call);
    return () => {
      for (const [signal, call] of listeners) process.off(signal, call);
    };
  },
};

// A reader that closes early (`skillpair plan | head`) is no fault of ours.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
}

process.exitCode = await runProgram(process.argv.slice(2), environment);
