import { contentPointer, LONGEST_POINTER } from '../../model/content-pointer.ts';
import { allFiles, type TaskRule } from './task-rule.ts';

/** A pointer of Git LFS or git-annex in the place of a file. */
export const absentContent: TaskRule = {
  name: 'absent-content',
  check: (task) =>
    allFiles(task).flatMap(({ text = '', size, hostPath }) => {
      const pointer = size > LONGEST_POINTER ? undefined : contentPointer(text);
      if (pointer === undefined) return [];
      const bytes = pointer.size === undefined ? '' : ` of ${pointer.size} bytes`;
      const get = pointer.by === 'Git LFS' ? 'git lfs pull' : 'git annex get';
      return [
        {
          severity: 'warning',
          message: `the file is a pointer of ${pointer.by}: its content${bytes} is kept elsewhere`,
          where: { file: hostPath },
          repair: `bring the content, with "${get}" where the file came from say`,
        },
      ];
    }),
};
