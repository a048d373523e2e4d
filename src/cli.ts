import { type Environment, say } from './cli/environment.ts';
import { EXIT } from './cli/exit-code.ts';
import { inputStream } from './cli/input-stream.ts';
import { keepGoingWithoutReader } from './cli/lost-output.ts';
import { outputStream } from './cli/output-stream.ts';
import { runProgram } from './cli/program.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

const environment: Environment = {
  cwd: process.cwd(),
  env: process.env,
  /** Not before somebody asks for it: a process that opens its input may wait for it. */
  get stdin() {
    return inputStream(process.stdin, process.stdout);
  },
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

let lost = false;
keepGoingWithoutReader([process.stdout, process.stderr], (error) => {
  lost = true;
  say(environment.stderr, `error: the output could not be written (${error.message}); send it elsewhere`);
  if (process.exitCode === EXIT.ok) process.exitCode = EXIT.environment;
});

const code = await runProgram(process.argv.slice(2), environment);
process.exitCode = lost && code === EXIT.ok ? EXIT.environment : code;
