import { placeAt, type TaskRule } from './task-rule.ts';

/** A Skill that names the task it comes with, where that name is more than a plain word. */
export const skillNamesTask: TaskRule = {
  name: 'skill-names-task',
  check: ({ subject: id, skills }) => {
    // One word, or two, may well be the subject; so is what the Skill itself is called.
    if (!/[-_.]/.test(id)) return [];
    const named = new RegExp(`(?<![\\w-])${id.replace(/[.]/g, '\\.')}(?![\\w-])`, 'i');
    return skills
      .filter(({ skill }) => !skill.name.toLowerCase().includes(id.toLowerCase()))
      .flatMap(({ skill, files }) =>
        files.flatMap((file) => {
          const at = file.text === undefined ? -1 : file.text.search(named);
          if (at < 0) return [];
          return [
            {
              severity: 'warning' as const,
              message: `the Skill "${skill.name}" names this task, "${id}"`,
              where: placeAt(file.hostPath, file.text ?? '', at),
              repair: 'let the Skill speak of such work in general: it is for tasks that nobody has seen',
            },
          ];
        }),
      )
      .slice(0, 1);
  },
};
