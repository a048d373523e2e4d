import { dockerfileBases } from '../../image/dockerfile-bases.ts';
import type { TaskRule } from './task-rule.ts';

/** A base that not every registry's mirror has: often it cannot be had where the task is run. */
export const foreignBase: TaskRule = {
  name: 'foreign-base',
  check: ({ dockerfile }) => {
    if (dockerfile === undefined) return [];
    const seen = new Set<string>();
    return dockerfileBases(dockerfile).flatMap(({ name, line, copiedFrom }) => {
      const origin = originOf(name);
      if (origin === undefined || seen.has(name)) return [];
      seen.add(name);
      const hidden = copiedFrom ? ', though no FROM names it' : '';
      return [
        {
          severity: 'note',
          message: `${name} ${origin}${hidden}: it must be pulled from there, or substituted`,
          where: { file: dockerfile.file, line },
          repair: 'load the image beforehand, or map it with images.substitute',
        },
      ];
    });
  },
};

/** The default registry under each of its own names. */
const DEFAULT_REGISTRY = /^(?:[\w-]+\.)?docker\.(?:io|com)\//;

/** Where an image comes from that is neither one of the default registry's own nor one of ours; undefined for these. */
function originOf(name: string): string | undefined {
  const [first = '', ...rest] = name
    .replace(DEFAULT_REGISTRY, '')
    .replace(/^library\//, '')
    .split('/');
  if (rest.length === 0) return undefined;
  // The first part of a name is a host if it has a dot or a port.
  if (/[.:]|^localhost$/.test(first)) return 'comes from another registry';
  return first === 'skillpair' ? undefined : `is kept by "${first}" alone, not by the registry itself`;
}
