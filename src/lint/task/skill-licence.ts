import type { ContentFile } from '../../model/task-content.ts';
import { missingLicenceFiles } from '../skill/licence-file.ts';
import type { TaskRule } from './task-rule.ts';

/** A Skill that its owner does not let others pass on. */
export const proprietarySkill: TaskRule = {
  name: 'proprietary-skill',
  check: ({ skills }) =>
    skills.flatMap(({ files }) => {
      const found = licenceLine(files);
      if (found === undefined || !/\b(?:proprietary|all rights reserved)\b/i.test(found.text)) return [];
      return [
        {
          severity: 'note',
          message: 'the Skill says that it is proprietary: it may be used here and not passed on',
          where: { file: found.file.hostPath, line: found.line },
          repair: 'leave it out of what is published, or ask its owner',
        },
      ];
    }),
};

/** Terms that a Skill names and does not bring. */
export const skillLicenceMissing: TaskRule = {
  name: 'skill-licence-missing',
  check: ({ skills }) =>
    skills.flatMap(({ skill, files }) => {
      const found = licenceLine(files);
      if (found === undefined) return [];
      const paths = files.map(({ path }) => path);
      return missingLicenceFiles(found.text, paths).map((name) => ({
        severity: 'warning' as const,
        message: `the licence of the Skill "${skill.name}" names ${name}, which it does not bring`,
        where: { file: found.file.hostPath, line: found.line },
        repair: 'put the file there, or name the licence alone',
      }));
    }),
};

/** The line of a head that says under which terms the Skill is. */
function licenceLine(files: readonly ContentFile[]) {
  const file = files.find(({ path }) => path === 'SKILL.md');
  const lines = file?.text?.split(/\r?\n/) ?? [];
  const end = lines.indexOf('---', 1);
  const at = lines.slice(0, Math.max(0, end)).findIndex((line) => /^license\s*:/i.test(line));
  return file === undefined || at < 0 ? undefined : { file, line: at + 1, text: lines[at] ?? '' };
}
