import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { Environment } from '../../src/cli/environment.ts';
import { loadExperiment } from '../../src/cli/load-experiment.ts';
import type { Project } from '../../src/model/project.ts';

const EXPERIMENT = join(import.meta.dirname, '..', 'project', 'experiment.yaml');

/** The benchmarks' project: one task, the harness `nop`, both conditions. */
export function loadBenchProject(): Promise<Project> {
  return loadExperiment(quietEnvironment(), EXPERIMENT);
}

/** This process's environment without a terminal; `dockerHost` puts another engine in the place of the usual one. */
export function quietEnvironment(dockerHost?: string): Environment {
  const silent = { stream: new PassThrough().resume(), isTty: false, columns: 120 };
  return {
    cwd: process.cwd(),
    env: dockerHost === undefined ? process.env : { ...process.env, DOCKER_HOST: dockerHost },
    stdout: silent,
    stderr: silent,
    now: () => new Date(),
    onSignal: () => () => undefined,
    stdin: { stream: new PassThrough() },
  };
}
