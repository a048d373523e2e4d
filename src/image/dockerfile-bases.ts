import type { Dockerfile, Instruction } from './dockerfile.ts';
import type { BaseRequest, ResolvedBase } from './resolved-base.ts';
import type { TextEdit } from './text-edit.ts';

/** One place in a Dockerfile that names an image from outside. */
export interface BaseUse extends BaseRequest {
  readonly line: number;
  readonly edit: (imageId: string) => TextEdit;
}

/** All images that a build needs: those in FROM, and those that only a `COPY --from` names. */
export function dockerfileBases(dockerfile: Dockerfile): readonly BaseUse[] {
  return dockerfile.stages.flatMap((stage) => {
    const from: BaseUse[] =
      stage.parent !== undefined || stage.image === 'scratch'
        ? []
        : [
            {
              name: stage.image,
              platform: stage.platform,
              copiedFrom: false,
              line: stage.line,
              // Flags go with the name: an id is of one platform.
              edit: (imageId) => ({ range: stage.imageRange, text: imageId }),
            },
          ];
    const copied = stage.instructions.flatMap((instruction) =>
      copiedBase(dockerfile, stage.index, instruction),
    );
    return [...from, ...copied];
  });
}

function copiedBase(dockerfile: Dockerfile, stage: number, instruction: Instruction): BaseUse[] {
  const flag = instruction.flags.find(({ name }) => name === 'from');
  if (instruction.keyword !== 'COPY' || flag === undefined || flag.value === '') return [];
  const isStage = dockerfile.stages.some(
    ({ index, name }) => index < stage && (name === flag.value.toLowerCase() || String(index) === flag.value),
  );
  if (isStage) return [];
  return [
    {
      name: flag.value,
      platform: undefined,
      copiedFrom: true,
      line: instruction.line,
      edit: (imageId) => ({ range: flag.range, text: `--from=${imageId}` }),
    },
  ];
}

/** The edits that name each image by its id. A base that is not in the map is left as it is. */
export function baseEdits(
  uses: readonly BaseUse[],
  bases: ReadonlyMap<string, ResolvedBase>,
): readonly TextEdit[] {
  return uses.flatMap((use) => {
    const base = bases.get(baseKey(use));
    return base === undefined ? [] : [use.edit(base.info.id)];
  });
}

/** Two uses with one key get the same image. */
export function baseKey({ name, platform, copiedFrom }: BaseRequest): string {
  return JSON.stringify([name, platform ?? null, copiedFrom]);
}
