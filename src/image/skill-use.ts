import { posix } from 'node:path';
import { literal } from './regexp-literal.ts';
import { type ResolvedStage, type Step, stageChain } from './resolved-steps.ts';
import type { SkillCopy, SkillTarget } from './skill-copies.ts';

/**
 * Why the image cannot be built without its Skills: the first RUN that works inside a copied Skill or names one.
 * A RUN that only names the folder of Skills (`mkdir -p`, `chmod -R`, `cp -r` of it) works on an empty folder too.
 */
export function skillUse(
  stages: readonly ResolvedStage[],
  copies: readonly SkillCopy[],
  skillNames: readonly string[],
): string | undefined {
  for (const { steps, stage } of stages)
    for (const step of steps) {
      if (step.instruction.keyword !== 'RUN') continue;
      const reason = useOf(step, targetsBefore(step, stages, copies), skillNames);
      if (reason !== undefined) return `line ${step.instruction.line} (stage ${stage.index}): ${reason}`;
    }
  return undefined;
}

/** Targets of copies that ran before a step, in its own stage or in those it starts from. */
function targetsBefore(
  step: Step,
  stages: readonly ResolvedStage[],
  copies: readonly SkillCopy[],
): readonly SkillTarget[] {
  const chain = new Set(stageChain(stages, step.stage).map((each) => each.stage.index));
  return copies
    .filter(
      (copy) =>
        chain.has(copy.step.stage) &&
        (copy.step.stage !== step.stage || copy.step.instruction.line < step.instruction.line),
    )
    .flatMap((copy) => copy.targets);
}

function useOf(step: Step, all: readonly SkillTarget[], skillNames: readonly string[]): string | undefined {
  if (all.length === 0) return undefined;
  const { workingDir } = step;
  // Everything is below the root: there only a name tells.
  const targets = all.filter(({ containerPath }) => containerPath !== '/');
  const around = targets.find(
    ({ containerPath, kind }) => kind === 'folder' && isAtOrBelow(workingDir, containerPath),
  );
  if (around !== undefined) return `RUN works in ${workingDir}, where Skills are copied to`;
  const command = withVariables(step);
  for (const { containerPath, kind, source } of targets) {
    const path = pathPattern(containerPath, workingDir);
    const isWhole = kind === 'file' || source !== '';
    const use = new RegExp(`(?<![\\w./-])${path}${isWhole ? '(?![\\w.-])' : '/+[^\\s/;&|"\')]'}`);
    if (use.test(command)) return `RUN uses ${containerPath}, where Skills are copied to`;
    if (new RegExp(`\\b(cd|pushd)\\s+(--\\s+)?["']?${path}/*["']?(\\s|;|&|\\||\\)|$)`).test(command))
      return `RUN goes into ${containerPath}, where Skills are copied to`;
  }
  return namedSkill(command, all, skillNames);
}

/** `…/skills/<name>`: the folder's name, whatever stands before it, followed by the name of a Skill. */
function namedSkill(
  command: string,
  targets: readonly SkillTarget[],
  skillNames: readonly string[],
): string | undefined {
  const folders = new Set(targets.map(({ containerPath }) => posix.basename(containerPath)));
  for (const name of skillNames)
    for (const folder of folders)
      if (new RegExp(`(^|[^\\w-])${literal(folder)}/+${literal(name)}(?![\\w-])`).test(command))
        return `RUN names the Skill "${name}"`;
  return undefined;
}

/** The command with `~`, `$HOME` and known variables replaced, as the shell would. */
function withVariables({ instruction, env }: Step): string {
  const home = env.get('HOME') ?? '/root';
  return instruction.argumentText
    .replace(/(?<=^|[\s="':])~(?=\/|\s|$)/g, home)
    .replace(/\$(?:(\w+)|\{(\w+)\})/g, (whole, plain: string | undefined, braced: string | undefined) => {
      const name = plain ?? braced ?? '';
      return env.get(name) ?? (name === 'HOME' ? home : whole);
    });
}

/** The path as a shell command may write it: absolute, or relative to the working directory. */
function pathPattern(containerPath: string, workingDir: string): string {
  const relative = posix.relative(workingDir, containerPath);
  const forms = [literal(containerPath).replaceAll('\\/', '/+')];
  if (relative !== '' && !relative.startsWith('..')) forms.push(`(?:\\./)?${literal(relative)}`);
  return `(?:${forms.join('|')})`;
}

function isAtOrBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);
}
