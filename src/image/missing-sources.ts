import type { Problem } from '../model/problem.ts';
import { type ContextPaths, isRemoteSource, matchSource } from './copy-sources.ts';
import type { ResolvedStage, Step } from './resolved-steps.ts';

/** COPY and ADD sources that match nothing in the build context: told before a build that would take minutes to say so. */
export function missingSources(
  file: string,
  stages: readonly ResolvedStage[],
  context: ContextPaths,
): readonly Problem[] {
  return stages
    .flatMap((stage) => stage.steps)
    .flatMap((step) =>
      missingIn(step, context).map(
        (source): Problem => ({
          severity: 'error',
          message: `${step.instruction.keyword} names "${source}", which is not in the build context`,
          where: { file, line: step.instruction.line },
          repair: 'add it, or correct the path; a .dockerignore may hide it',
        }),
      ),
    );
}

function missingIn({ copy }: Step, context: ContextPaths): readonly string[] {
  if (copy === undefined || copy.from !== undefined) return [];
  return copy.sources.filter(
    (source) => source !== '' && !isRemoteSource(source) && matchSource(source, context).length === 0,
  );
}
