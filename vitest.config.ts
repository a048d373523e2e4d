import { defineConfig } from 'vitest/config';

const project = (name: string, testTimeout = 10_000) => ({
  test: { name, include: [`tests/${name}/**/*.test.ts`], testTimeout, hookTimeout: testTimeout },
});

/** One project a kind of test; `docker` ones need a container engine and run for real in CI. */
export default defineConfig({
  test: {
    projects: [
      project('unit'),
      project('contract', 30_000),
      project('property', 30_000),
      project('end-to-end', 120_000),
      { test: { ...project('docker', 300_000).test, fileParallelism: false } },
    ],
  },
});
