import type { RunResult } from '../run/run-experiment.ts';

/** How a run's models are opened, used and told of. */
export interface WithModels<Models extends AsyncDisposable> {
  /** What of them cannot be removed is told to `leftBehind`, by name. */
  readonly open: (leftBehind: (what: string) => void) => Promise<Models | undefined>;
  readonly run: (models: Models | undefined) => Promise<RunResult>;
  /** For the journal. */
  readonly say: (message: string) => void;
}

/**
 * Runs with models that are open meanwhile. What is left of them is in the result and told, also where closing them breaks: trials that have
 * their verdicts keep them. Rejects as `open` and `run` do.
 */
export async function withModels<Models extends AsyncDisposable>({
  open,
  run,
  say,
}: WithModels<Models>): Promise<RunResult> {
  const left: string[] = [];
  const leftBehind = (what: string) => {
    left.push(what);
    say(`could not remove ${what}`);
  };
  const models = await open(leftBehind);
  let result: RunResult;
  try {
    result = await run(models);
  } finally {
    await close(models, leftBehind);
  }
  return { ...result, leftBehind: [...result.leftBehind, ...left] };
}

async function close(models: AsyncDisposable | undefined, leftBehind: (what: string) => void): Promise<void> {
  try {
    await models?.[Symbol.asyncDispose]();
  } catch (error) {
    leftBehind(`what led to the model gateway: ${error instanceof Error ? error.message : String(error)}`);
  }
}
