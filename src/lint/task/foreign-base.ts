import { dockerfileBases } from '../../image/dockerfile-bases.ts';
import type { TaskRule } from './task-rule.ts';

/** A base that no public default registry has: often it cannot be had where the task is run. */
export const foreignBase: TaskRule = {
  name: 'foreign-base',
  check: ({ dockerfile }) => {
    if (dockerfile === undefined) return [];
    return dockerfileBases(dockerfile).flatMap(({ name, line, copiedFrom }) => {
      if (!isForeign(name)) return [];
      return [
        {
          severity: 'note',
          message: `${name} comes from another registry${copiedFrom ? ', though no FROM names it' : ''}: it must be pulled from there, or substituted`,
          where: { file: dockerfile.file, line },
          repair: 'load the image beforehand, or map it with images.substitute',
        },
      ];
    });
  },
};

/** The first part of a name is a host if it has a dot or a port; `docker.io` is where names without one come from. */
function isForeign(name: string): boolean {
  const [first = '', ...rest] = name.split('/');
  return rest.length > 0 && /[.:]|^localhost$/.test(first) && !/^(?:[\w-]+\.)?docker\.io$/.test(first);
}
