import type { Environment } from './environment.ts';

/** What a command does; resolves to the exit code. `flags` are those of the command's own options. */
export type Action = (
  environment: Environment,
  arguments_: readonly string[],
  flags: never,
) => Promise<number>;

/** Makes a command's handler out of an import, which happens when the command is called. */
export type Run = (load: () => Promise<Action>) => (...given: unknown[]) => Promise<void>;
