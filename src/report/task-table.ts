import { formatMany } from './format.ts';
import { plainLine } from './plain-text.ts';
import { textColumns } from './text-columns.ts';

/** What is told of one task in a list. */
export interface TaskRow {
  readonly id: string;
  readonly format: 'native' | 'harbor';
  /** Undefined where the task's file could not be read. */
  readonly domain: string | undefined;
  readonly difficulty: string | undefined;
  readonly skills: readonly string[];
  /** What it wishes: CPUs, memory in bytes, time of the agent in milliseconds. */
  readonly limits:
    | { readonly cpus: number; readonly memoryBytes: number; readonly agentTimeoutMs: number }
    | undefined;
  readonly state: TaskState;
}

/** Whether a task can be run here. `needs-images`: once these are pulled, or something stands in for them. */
export type TaskState =
  | { readonly kind: 'runnable' }
  | { readonly kind: 'needs-images'; readonly images: readonly string[] }
  | { readonly kind: 'cannot-run'; readonly reasons: readonly string[] };

/** A line for each task. */
export function renderTasks(tasks: readonly TaskRow[]): string {
  const head = ['task', 'format', 'domain', 'difficulty', 'Skills', 'cpus', 'memory', 'agent', 'state'];
  const rows = tasks.map(({ id, format, domain, difficulty, skills, limits, state }) => [
    plainLine(id),
    format,
    plainLine(domain ?? '?'),
    plainLine(difficulty ?? '?'),
    String(skills.length),
    limits === undefined ? '?' : String(limits.cpus),
    limits === undefined ? '?' : memoryText(limits.memoryBytes),
    limits === undefined ? '?' : `${Math.round(limits.agentTimeoutMs / 1000)} s`,
    stateText(state),
  ]);
  return textColumns(head, rows);
}

/** `512 MiB`, `2 GiB`: as people write them. */
export function memoryText(bytes: number): string {
  const mebibytes = bytes / 1024 ** 2;
  return mebibytes % 1024 === 0 ? `${mebibytes / 1024} GiB` : `${Math.round(mebibytes)} MiB`;
}

/** A state in words, on one line. */
export function stateText(state: TaskState): string {
  switch (state.kind) {
    case 'runnable':
      return 'runnable';
    case 'needs-images':
      return `needs ${state.images.map(plainLine).join(', ')}: pulled, or substituted`;
    case 'cannot-run': {
      const [first = '', ...more] = state.reasons;
      const rest = more.length === 0 ? '' : ` (and ${formatMany(more.length, 'more reason')})`;
      return `cannot run: ${plainLine(first)}${rest}`;
    }
  }
}
