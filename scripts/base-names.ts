import { join } from 'node:path';
import type { ReadTask } from '../src/cli/read-tasks.ts';
import { dockerfileBases } from '../src/image/dockerfile-bases.ts';
import { readDockerfile } from '../src/image/read-dockerfile.ts';

/** The images that a task starts from or copies from, as its Dockerfile names them; none where that cannot be read. */
export async function baseNames({ loaded }: ReadTask): Promise<readonly string[]> {
  const environment = (loaded.task ?? loaded.refused)?.environment;
  if (environment === undefined) return [];
  const dockerfile = await readDockerfile(join(environment.contextDir, environment.dockerfile));
  return dockerfile.ok ? [...new Set(dockerfileBases(dockerfile.value).map(({ name }) => name))] : [];
}
