import { canonicalJson } from '../../base/canonical-json.ts';
import { formatMany } from '../../report/format.ts';
import { renderTasks, type TaskRow } from '../../report/task-table.ts';
import { engineIfAny } from '../compose.ts';
import { type Environment, say } from '../environment.ts';
import { EXIT } from '../exit-code.ts';
import { CANARY_EXPERIMENT, loadExperiment } from '../load-experiment.ts';
import { readTasks } from '../read-tasks.ts';
import { lookAtStates, type SeenTask } from '../task-state.ts';

/** `skillpair task list`: what is here, and whether it can be run. Without an engine nobody knows which images are there. */
export async function taskListCommand(
  environment: Environment,
  folders: readonly string[],
  flags: { readonly skills?: string; readonly json: boolean },
): Promise<number> {
  const { stdout, stderr, cwd } = environment;
  const tasks = await readTasks(cwd, folders.length === 0 ? ['tasks'] : folders, flags.skills);
  const project = await loadExperiment(environment, CANARY_EXPERIMENT);
  const reached = await engineIfAny(environment);
  const rows = (await lookAtStates(tasks, project, reached?.engine)).map(rowOf);
  if (flags.json) say(stdout, canonicalJson({ schemaVersion: 1, tasks: rows }));
  else {
    say(stdout, renderTasks(rows));
    const count = (kind: TaskRow['state']['kind']) => rows.filter(({ state }) => state.kind === kind).length;
    const [ready, waiting] = [count('runnable'), count('needs-images')];
    const found = `${formatMany(rows.length, 'task')}: ${ready} runnable, ${waiting} need images, ${count('cannot-run')} cannot run`;
    say(stderr, reached === undefined ? `${found}; no engine answers, so images were not looked for` : found);
  }
  return EXIT.ok;
}

function rowOf({ name, format, loaded, state }: SeenTask): TaskRow {
  const task = loaded.task ?? loaded.refused;
  return {
    id: name,
    format,
    domain: task?.metadata.domain,
    difficulty: task?.metadata.difficulty,
    skills: task?.skills.map((skill) => skill.name) ?? [],
    limits: task && {
      cpus: task.environment.cpus,
      memoryBytes: task.environment.memoryBytes,
      agentTimeoutMs: task.agent.timeoutMs,
    },
    state,
  };
}
