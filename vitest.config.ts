import { defineConfig } from 'vitest/config';

const project = (name: string, testTimeout = 10_000) => ({
  test: { name, include: [`tests/${name}/**/*.test.ts`], testTimeout, hookTimeout: testTimeout },
});

const docker = project('docker', 300_000).test;
const ALONE = 'tests/docker/alone/**/*.test.ts';

/**
 * One project a kind of test; `docker` ones need a container engine and run for real in CI. Two of their files at a time: they wait
 * more than they work. What looks at all of an engine, whoever made it, has the engine to itself at the end.
 */
export default defineConfig({
  test: {
    projects: [
      project('unit'),
      project('contract', 30_000),
      project('property', 30_000),
      project('end-to-end', 120_000),
      { test: { ...docker, exclude: [ALONE], maxWorkers: 2, sequence: { groupOrder: 1 } } },
      {
        test: {
          ...docker,
          name: 'docker-alone',
          include: [ALONE],
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
