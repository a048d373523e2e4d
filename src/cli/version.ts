import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The product's own folder: Dockerfile.base, harnesses and verifiers stand here. */
export const HOME = join(import.meta.dirname, '..', '..');

/** The version in package.json. */
export function version(): string {
  const { version: found } = JSON.parse(readFileSync(join(HOME, 'package.json'), 'utf8')) as {
    version: string;
  };
  return found;
}
