import type { ContentFile } from '../../model/task-content.ts';
import type { LintedTask, Remark, TaskRule } from './task-rule.ts';

/** The solution, or the tests, reach for files of a Skill: the arm without Skills has none. */
export const reachesForSkill: TaskRule = {
  name: 'reaches-for-skill',
  check: (task) => [
    ...remarks(task, task.solution, {
      severity: 'note',
      message: 'the solution uses files of a Skill: it may pass in the arm with Skills alone',
      repair:
        'nothing need be done, if that is meant; a solution of its own proves the task without Skills too',
    }),
    ...remarks(task, task.tests, {
      severity: 'warning',
      message: 'the tests use files of a Skill: the arm without Skills has none, and may fail for that alone',
      repair: 'keep what the tests need in tests/',
    }),
  ],
};

function remarks(
  { skills }: LintedTask,
  files: readonly ContentFile[],
  said: Pick<Remark, 'severity' | 'message' | 'repair'>,
): Remark[] {
  const names = skills.map(({ skill }) => skill.name);
  for (const file of files) {
    if (file.text?.includes('skill') !== true) continue;
    const lines = file.text.split('\n');
    const at = lines.findIndex((line) => !/^\s*(?:#|\/\/)/.test(line) && isSkillPath(line, names));
    if (at >= 0) return [{ ...said, where: { file: file.hostPath, line: at + 1 } }];
  }
  return [];
}

/** `/root/.claude/skills/…`, or `skills/` and the name of one of the task's Skills. */
function isSkillPath(line: string, names: readonly string[]): boolean {
  if (/\/\.[\w-]+\/skills?(?=[/"'\s)]|$)/.test(line)) return true;
  const found = [...line.matchAll(/(?:^|[/"'\s=])skills?\/([^/"'\s]+)/g)];
  return found.some(([, name = '']) => names.includes(name));
}
