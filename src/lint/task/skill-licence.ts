import type { TaskRule } from './task-rule.ts';

/** A Skill that its owner does not let others pass on. */
export const proprietarySkill: TaskRule = {
  name: 'proprietary-skill',
  check: ({ skills }) =>
    skills.flatMap(({ files }) => {
      const file = files.find(({ path }) => path === 'SKILL.md');
      const lines = file?.text?.split(/\r?\n/) ?? [];
      const end = lines.indexOf('---', 1);
      const at = lines
        .slice(0, Math.max(0, end))
        .findIndex((line) => /^license\s*:.*\b(?:proprietary|all rights reserved)\b/i.test(line));
      if (file === undefined || at < 0) return [];
      return [
        {
          severity: 'note',
          message: 'the Skill says that it is proprietary: it may be used here and not passed on',
          where: { file: file.hostPath, line: at + 1 },
          repair: 'leave it out of what is published, or ask its owner',
        },
      ];
    }),
};
