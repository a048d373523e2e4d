import type { Environment } from './cli/environment.ts';
import { outputStream } from './cli/output-stream.ts';
import { runProgram } from './cli/program.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

const environment: Environment = {
  cwd: process.cwd(),
  env: process.env,
  stdout: outputStream(process.stdout, process.env.TERM),
  stderr: outputStream(process.stderr, process.env.TERM),
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
