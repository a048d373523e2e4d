import type { Dockerfile } from '../../image/dockerfile.ts';
import type { Finding } from '../../model/finding.ts';
import type { Place } from '../../model/problem.ts';
import type { Task } from '../../model/task.ts';
import type { ContentFile, TaskContent } from '../../model/task-content.ts';

/** A task as the rules see it: all is read already. */
export interface LintedTask extends TaskContent {
  readonly format: Task['format'];
  /** Absent where it could not be parsed, which is told by another rule. */
  readonly dockerfile: Dockerfile | undefined;
}

/** What a rule has to say; its name and the task's are added by whoever runs it. */
export type Remark = Omit<Finding, 'rule' | 'subject'>;

/** One rule. Pure: what it looks at was read before. */
export interface TaskRule {
  /** Kebab case, and the anchor of its paragraph in docs/task-rules.md. */
  readonly name: string;
  readonly check: (task: LintedTask) => readonly Remark[];
}

/** What no agent may see: tests and both solutions. */
export function hiddenFiles({ tests, solution, almostRight }: TaskContent): readonly ContentFile[] {
  return [...tests, ...solution, ...almostRight];
}

/** All that was read of a task's folder and of its Skills. */
export function allFiles(task: TaskContent): readonly ContentFile[] {
  return [...hiddenFiles(task), ...task.context, ...task.skills.flatMap(({ files }) => files)];
}

/** The place of an offset in a text. */
export function placeAt(file: string, text: string, offset: number): Place {
  const before = text.slice(0, offset);
  const start = before.lastIndexOf('\n') + 1;
  let line = 1;
  for (let at = before.indexOf('\n'); at >= 0; at = before.indexOf('\n', at + 1)) line += 1;
  return { file, line, column: offset - start + 1 };
}

/** The first few of many, for a message. */
export function fewOf(items: readonly string[], most = 5): string {
  const more = items.length - most;
  return `${items.slice(0, most).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
