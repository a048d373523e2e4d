import { copyFileSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Copies the input to the output: the obvious attempt of somebody who knows nothing. Returns the reason if it failed. */
export function copyInput(input: string, output: string, workingDir: string): string | undefined {
  try {
    const target = resolve(workingDir, output);
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(resolve(workingDir, input), target);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
