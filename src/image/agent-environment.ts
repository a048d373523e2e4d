import { posix } from 'node:path';
import type { Configuration } from '../model/configuration.ts';
import type { Harness } from '../model/harness.ts';
import type { Project } from '../model/project.ts';
import type { Task } from '../model/task.ts';

/** Environment variables by name. */
export type Variables = Readonly<Record<string, string>>;

/** What an agent gets beyond its image: task, harness, configuration, in this order; the oracle also what its solution declares. */
export function agentVariables(from: {
  readonly task: Pick<Task, 'environment' | 'solution'>;
  readonly harness: Harness;
  readonly configuration: Configuration;
}): Variables {
  const { task, harness, configuration } = from;
  const solution = harness.manifest.special === 'oracle' ? task.solution?.env : {};
  return { ...task.environment.env, ...harness.manifest.env, ...configuration.env, ...solution };
}

/** What agents may find in a task's image: that of the image alone, then one for every configuration. */
export function agentEnvironments(
  task: Task,
  imageEnv: readonly string[],
  { configurations, harnesses }: Pick<Project, 'configurations' | 'harnesses'>,
): Variables[] {
  const pristine = imageVariables(imageEnv);
  const started = configurations.flatMap((configuration) => {
    const harness = harnesses.get(configuration.harness);
    if (harness === undefined) return [];
    return [{ ...pristine, ...agentVariables({ task, harness, configuration }) }];
  });
  return [pristine, ...started];
}

/** The variables of an image, which lists them as `NAME=value`. */
export function imageVariables(env: readonly string[]): Variables {
  return Object.fromEntries(
    env.map((line) => [line.split('=', 1)[0] ?? '', line.slice(line.indexOf('=') + 1)]),
  );
}

/** An absolute path that a variable names, without a slash at its end; it need not exist. */
export function folderIn(variables: Variables, name: string): string | undefined {
  const path = variables[name];
  return path?.startsWith('/') === true ? posix.resolve(path) : undefined;
}
