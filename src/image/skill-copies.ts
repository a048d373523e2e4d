import { posix } from 'node:path';
import { type ContextPaths, isRemoteSource, matchSource, resolveInContext } from './copy-sources.ts';
import { type ResolvedStage, type Step, stageChain } from './resolved-steps.ts';
import type { TextEdit } from './text-edit.ts';

/** A place in the image where the Dockerfile copies Skills to. */
export interface SkillTarget {
  /** Absolute. Folder: what lies in `source` comes to lie in it. File: the file itself. */
  readonly containerPath: string;
  /** Path below the Skills folder, `` for the whole of it. */
  readonly source: string;
  readonly kind: 'folder' | 'file';
}

/** One COPY or ADD that brings Skills in. */
export interface SkillCopy {
  readonly step: Step;
  readonly targets: readonly SkillTarget[];
  /** What must change in the text so that the instruction still works on an empty Skills folder. */
  readonly edits: readonly TextEdit[];
}

interface Search {
  readonly stages: readonly ResolvedStage[];
  readonly context: ContextPaths;
  readonly skillsPath: string;
}

/** Every instruction that copies Skills, from the context or from an earlier stage that has them. */
export function findSkillCopies(search: Search): readonly SkillCopy[] {
  const found: SkillCopy[] = [];
  if (!search.context.kinds.has(search.skillsPath)) return found;
  for (const step of search.stages.flatMap((stage) => stage.steps)) {
    const { copy } = step;
    if (copy === undefined) continue;
    const brought =
      copy.from === undefined ? fromContext(step, search) : fromStage(step, search.stages, found);
    if (brought.targets.length > 0) found.push({ step, ...brought });
  }
  return found;
}

/** Targets that stand in the last stage's image, in order, without duplicates. */
export function finalTargets(
  stages: readonly ResolvedStage[],
  copies: readonly SkillCopy[],
): readonly SkillTarget[] {
  return targetsOf(stageChain(stages), copies);
}

function targetsOf(chain: readonly ResolvedStage[], copies: readonly SkillCopy[]): SkillTarget[] {
  const inside = new Set(chain.map((stage) => stage.stage.index));
  const byKey = new Map<string, SkillTarget>();
  for (const { step, targets } of copies)
    if (inside.has(step.stage))
      for (const target of targets) byKey.set(`${target.containerPath}\0${target.source}`, target);
  return [...byKey.values()];
}

function fromContext(step: Step, { context, skillsPath }: Search): Omit<SkillCopy, 'step'> {
  const targets: SkillTarget[] = [];
  const edits: TextEdit[] = [];
  const { sources, destination } = step.copy ?? { sources: [], destination: '/' };
  for (const [index, source] of sources.entries()) {
    if (isRemoteSource(source)) continue;
    const matches = matchSource(source, context);
    const brought = matches.map((path) => targetOf({ path, context, skillsPath }, destination));
    targets.push(...brought.filter((target) => target !== undefined));
    const word = step.instruction.words[index];
    const onlyInside = brought.length > 0 && brought.every((target) => (target?.source ?? '') !== '');
    if (onlyInside && word !== undefined) edits.push({ range: word.range, text: quoted(step, skillsPath) });
  }
  const [only] = targets;
  const destinationWord = step.instruction.words.at(-1);
  // A single file copied to a name: copying the empty folder there would leave a folder of that name.
  if (edits.length === 1 && sources.length === 1 && only?.kind === 'file' && !destination.endsWith('/'))
    if (destinationWord !== undefined) {
      const parent = `${posix.dirname(destination).replace(/\/$/, '')}/`;
      edits.push({ range: destinationWord.range, text: quoted(step, parent) });
    }
  return { targets, edits };
}

function quoted({ instruction }: Step, path: string): string {
  return instruction.json ? JSON.stringify(path) : path;
}

/** Where the Skills of one matched path come to lie; undefined when it holds none. */
function targetOf(
  match: { readonly path: string; readonly context: ContextPaths; readonly skillsPath: string },
  destination: string,
): SkillTarget | undefined {
  const { context, skillsPath } = match;
  const path = resolveInContext(match.path, context) ?? match.path;
  const folder = destination.replace(/(?<=.)\/$/, '');
  if (path === skillsPath) return { containerPath: folder, source: '', kind: 'folder' };
  if (path === '.' || skillsPath.startsWith(`${path}/`)) {
    const below = path === '.' ? skillsPath : skillsPath.slice(path.length + 1);
    return { containerPath: posix.join(folder, below), source: '', kind: 'folder' };
  }
  if (!path.startsWith(`${skillsPath}/`)) return undefined;
  const source = path.slice(skillsPath.length + 1);
  if (context.kinds.get(path) === 'folder') return { containerPath: folder, source, kind: 'folder' };
  const isName = !destination.endsWith('/');
  return {
    containerPath: isName ? destination : posix.join(folder, posix.basename(match.path)),
    source,
    kind: 'file',
  };
}

/** `COPY --from=<stage>`: Skills that the earlier stage has travel along. */
function fromStage(
  step: Step,
  stages: readonly ResolvedStage[],
  found: readonly SkillCopy[],
): Omit<SkillCopy, 'step'> {
  const { from = '', sources, destination } = step.copy ?? { sources: [], destination: '/' };
  const stage = stages.find(
    ({ stage: each }) =>
      each.index < step.stage && (each.name === from.toLowerCase() || String(each.index) === from),
  );
  if (stage === undefined) return { targets: [], edits: [] };
  const theirs = targetsOf(stageChain(stages, stage.stage.index), found);
  const targets = sources.flatMap((source) =>
    theirs.flatMap((target) => movedTarget(posix.resolve('/', source), target, destination)),
  );
  return { targets, edits: [] };
}

function movedTarget(source: string, target: SkillTarget, destination: string): SkillTarget[] {
  const folder = destination.replace(/(?<=.)\/$/, '');
  if (target.containerPath === source || target.containerPath.startsWith(source === '/' ? '/' : `${source}/`))
    return [{ ...target, containerPath: posix.join(folder, target.containerPath.slice(source.length)) }];
  if (target.kind === 'file' || !source.startsWith(`${target.containerPath}/`)) return [];
  const below = posix.join(target.source, source.slice(target.containerPath.length + 1));
  return [{ containerPath: folder, source: below, kind: 'folder' }];
}
