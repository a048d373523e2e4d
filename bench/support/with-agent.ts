import type { Project } from '../../src/model/project.ts';

/** The bench project with another agent in the place of the one that does nothing: a shell script, and its time limit. */
export function withAgent(script: string, timeoutMs: number): (project: Project) => Project {
  return (project) => ({
    ...project,
    tasks: project.tasks.map((task) => ({ ...task, agent: { ...task.agent, timeoutMs } })),
    harnesses: new Map(
      [...project.harnesses].map(([id, harness]) => {
        const manifest = { ...harness.manifest, command: ['/bin/sh', '-c', script] };
        return [id, { ...harness, manifest }];
      }),
    ),
  });
}
