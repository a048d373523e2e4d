import { posix } from 'node:path';
import type { Dockerfile, Instruction, Stage } from './dockerfile.ts';
import { expandWord } from './expand-word.ts';

/** What a stage starts with: the base image's own settings. */
export interface BaseSettings {
  readonly env: readonly string[];
  readonly workingDir: string;
  readonly user: string;
}

/** A COPY or ADD with its words expanded. */
export interface ResolvedCopy {
  /** Stage or image named by `--from`; absent for the build context. */
  readonly from: string | undefined;
  readonly sources: readonly string[];
  /** Absolute; ends in `/` where the Dockerfile says so, or where there are several sources. */
  readonly destination: string;
}

/** An instruction at the place where it runs. */
export interface Step {
  readonly stage: number;
  readonly instruction: Instruction;
  readonly workingDir: string;
  readonly env: ReadonlyMap<string, string>;
  readonly copy: ResolvedCopy | undefined;
}

/** A stage, walked: its own steps (without those of its parent stage) and what it ends with. */
export interface ResolvedStage extends BaseSettings {
  readonly stage: Stage;
  readonly steps: readonly Step[];
}

/** Walks all stages in order. `baseOf` gives the settings of an image as FROM names it. */
export function resolveStages(
  dockerfile: Dockerfile,
  baseOf: (image: string) => BaseSettings,
): readonly ResolvedStage[] {
  const resolved: ResolvedStage[] = [];
  for (const stage of dockerfile.stages) {
    const parent = stage.parent === undefined ? undefined : resolved[stage.parent];
    resolved.push(walkStage(stage, parent ?? baseOf(stage.image), dockerfile));
  }
  return resolved;
}

/** The stage and those it starts from, oldest first. */
export function stageChain(stages: readonly ResolvedStage[], last = stages.length - 1): ResolvedStage[] {
  const stage = stages[last];
  if (stage === undefined) return [];
  const { parent } = stage.stage;
  return parent === undefined ? [stage] : [...stageChain(stages, parent), stage];
}

interface Walk {
  readonly env: Map<string, string>;
  /** ARGs and ENVs; an ENV hides an ARG of its name. */
  readonly variables: Map<string, string>;
  readonly escapeChar: string;
  readonly globals: ReadonlyMap<string, string>;
  workingDir: string;
  user: string;
}

function walkStage(stage: Stage, base: BaseSettings, dockerfile: Dockerfile): ResolvedStage {
  const env = new Map(base.env.map((pair) => splitPair(pair)));
  const walk: Walk = {
    env,
    variables: new Map(env),
    escapeChar: dockerfile.escapeChar,
    globals: dockerfile.globals,
    workingDir: base.workingDir || '/',
    user: base.user,
  };
  const steps = stage.instructions.map((instruction): Step => {
    applySetting(walk, instruction);
    return {
      stage: stage.index,
      instruction,
      workingDir: walk.workingDir,
      env: new Map(walk.variables),
      copy: resolveCopy(walk, instruction),
    };
  });
  return {
    stage,
    steps,
    env: [...walk.env].map(([name, value]) => `${name}=${value}`),
    workingDir: walk.workingDir,
    user: walk.user,
  };
}

function splitPair(pair: string): readonly [string, string] {
  const at = pair.indexOf('=');
  return at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)];
}

function applySetting(walk: Walk, instruction: Instruction): void {
  const text = () => expandWord(instruction.argumentText, walk.variables, walk.escapeChar);
  switch (instruction.keyword) {
    case 'ARG':
      setArguments(walk, instruction);
      break;
    case 'ENV':
      setEnvironment(walk, instruction);
      break;
    case 'WORKDIR':
      walk.workingDir = posix.resolve(walk.workingDir, text());
      break;
    case 'USER':
      walk.user = text();
      break;
  }
}

function setArguments(walk: Walk, { pairs }: Instruction): void {
  for (const { name, value: written } of pairs) {
    const value = written ?? walk.globals.get(name);
    if (walk.env.has(name) || value === undefined) continue;
    walk.variables.set(name, expandWord(value, walk.variables, walk.escapeChar));
  }
}

/** All values of one ENV see the variables as they were before it. */
function setEnvironment(walk: Walk, { pairs }: Instruction): void {
  const before = new Map(walk.variables);
  for (const { name, value } of pairs) {
    const expanded = expandWord(value ?? '', before, walk.escapeChar);
    walk.env.set(name, expanded);
    walk.variables.set(name, expanded);
  }
}

function resolveCopy(walk: Walk, { keyword, words, flags }: Instruction): ResolvedCopy | undefined {
  if (keyword !== 'COPY' && keyword !== 'ADD') return undefined;
  const expanded = words.map((word) => expandWord(word.text, walk.variables, walk.escapeChar));
  const last = expanded.at(-1) ?? '.';
  const isFolder = /(^|\/)\.{0,2}$/.test(last) || expanded.length > 2;
  const destination = posix.resolve(walk.workingDir, last);
  const from = flags.find((flag) => flag.name === 'from')?.value;
  return {
    from: from === undefined ? undefined : expandWord(from, walk.variables, walk.escapeChar),
    sources: expanded.slice(0, -1),
    destination: isFolder && destination !== '/' ? `${destination}/` : destination,
  };
}
