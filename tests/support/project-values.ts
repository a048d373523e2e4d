import { digestBytes } from '../../src/base/digest.ts';
import type { Configuration } from '../../src/model/configuration.ts';
import { Experiment } from '../../src/model/experiment.ts';
import { ConfigurationName, TaskId } from '../../src/model/ids.ts';
import type { Project } from '../../src/model/project.ts';
import type { Task } from '../../src/model/task.ts';

/** A task by what planning looks at; all else is a plausible filling. */
export function aTask(id: string, metadata: Partial<Task['metadata']> = {}): Task {
  return {
    id: TaskId.parse(id),
    dir: `/tasks/${id}`,
    format: 'native',
    digest: digestBytes(id),
    instruction: 'Do it.',
    metadata: {
      title: id,
      domain: 'natural-science',
      capability: 'analysis',
      difficulty: 'core',
      tags: [],
      ...metadata,
    },
    environment: {
      contextDir: `/tasks/${id}/environment`,
      dockerfile: 'Dockerfile',
      buildTimeoutMs: 600_000,
      cpus: 1,
      memoryBytes: 2 ** 30,
      pids: 512,
      network: 'none',
      allowHosts: [],
      env: {},
    },
    agent: { timeoutMs: 600_000 },
    verifier: {
      kind: 'pytest',
      testsDir: `/tasks/${id}/tests`,
      timeoutMs: 300_000,
      network: 'none',
      isolation: 'outputs',
      outputs: ['/workspace/out'],
      env: {},
      skipped: 'fail',
    },
    skills: [],
    looseSkillFiles: [],
  };
}

/** A configuration of a harness under its own name. */
export function aConfiguration(harness: string, name = harness): Configuration {
  return { name: ConfigurationName.parse(name), harness, env: {} };
}

/** A loaded project; `experiment` overrides single keys of the experiment file. */
export function aProject(
  parts: {
    readonly tasks?: readonly Task[];
    readonly configurations?: readonly Configuration[];
    readonly experiment?: Partial<Experiment>;
  } = {},
): Project {
  const configurations = parts.configurations ?? [aConfiguration('literal')];
  return {
    experimentPath: '/experiments/test.yaml',
    experiment: Experiment.parse({
      schemaVersion: 1,
      name: 'test',
      configurations: configurations.map(({ name, harness }) => ({ name, harness })),
      ...parts.experiment,
    }),
    tasks: parts.tasks ?? [aTask('one'), aTask('two')],
    configurations,
    harnesses: new Map(),
    discovery: { home: [], project: [], system: [] },
    verifiersDir: '/verifiers',
    verifiersDigest: digestBytes(''),
    problems: [],
  };
}
