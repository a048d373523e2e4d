import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type ChosenSkill, chooseSkills } from './choose.ts';
import { commandBlocks } from './command-blocks.ts';
import { discoverSkills } from './discover.ts';
import { type Instruction, readInstruction } from './instruction.ts';
import { copyInput } from './naive-attempt.ts';
import { runCommand } from './run-command.ts';

/** Of the agent and its events; `harness.yaml` names the same. */
export const VERSION = '1.0.0';

/** The world as the agent finds it. */
export interface AgentSetting {
  readonly instructionText: string;
  readonly workingDir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Fires at the agent's own limit. */
  readonly signal: AbortSignal;
  /** Takes one event, before the act that it announces where it announces one. */
  readonly emit: (event: Readonly<Record<string, unknown>>) => void;
}

/** Does an instruction: with the Skills that fit, else naively. True when no command failed. */
export async function runAgent(setting: AgentSetting): Promise<boolean> {
  const { env, emit, signal } = setting;
  const instruction = readInstruction(setting.instructionText);
  const skills = discoverSkills(env.HOME, setting.workingDir);
  emit({ kind: 'start', version: VERSION, skills: skills.map((skill) => skill.folder) });
  for (const { folder, name, path, description } of skills) {
    emit({ kind: 'skill-listed', folder, name, path, described: description !== '' });
  }
  const chosen = chooseSkills(instruction.text, skills);
  const work = chosen.map((choice) => openSkill(choice, emit));
  const ok = work.some(({ blocks }) => blocks.length > 0)
    ? await runAll(work, instruction, setting)
    : await attemptNaively(instruction, setting);
  emit({ kind: 'end', ok: ok && !signal.aborted, ...(signal.aborted ? { limit: 'inner' } : {}) });
  return ok && !signal.aborted;
}

/** The command blocks of one source; `skillDir` where that is a Skill. */
interface Work {
  readonly skillDir?: string;
  readonly blocks: readonly string[];
}

function openSkill({ skill, score }: ChosenSkill, emit: AgentSetting['emit']): Work {
  emit({ kind: 'skill-opened', name: skill.name, path: skill.path, score });
  return { skillDir: dirname(skill.path), blocks: commandBlocks(readFileSync(skill.path, 'utf8')) };
}

async function runAll(
  work: readonly Work[],
  instruction: Instruction,
  setting: AgentSetting,
): Promise<boolean> {
  let ok = true;
  for (const part of work) ok = (await runBlocks(part, instruction, setting)) && ok;
  return ok;
}

/** One after the other; a block that fails ends this source's work. */
async function runBlocks(work: Work, instruction: Instruction, setting: AgentSetting): Promise<boolean> {
  const env = { ...setting.env, ...variables(work, instruction) };
  for (const block of work.blocks) {
    if (setting.signal.aborted) return false;
    const command = fillIn(block, instruction);
    const result = await runCommand(command, { ...setting, env });
    setting.emit({ kind: 'command', command, ...result });
    if (result.exitCode !== 0) return false;
  }
  return true;
}

function variables({ skillDir }: Work, { input, output }: Instruction): Record<string, string> {
  return {
    ...(skillDir === undefined ? {} : { SKILL_DIR: skillDir }),
    ...(input === undefined ? {} : { INPUT: input }),
    ...(output === undefined ? {} : { OUTPUT: output }),
  };
}

/** Puts the paths in for `<input>` and `<output>`, quoted where a shell would split them. */
function fillIn(block: string, { input, output }: Instruction): string {
  return block
    .replaceAll('<input>', input === undefined ? '<input>' : quoted(input))
    .replaceAll('<output>', output === undefined ? '<output>' : quoted(output));
}

function quoted(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

async function attemptNaively(instruction: Instruction, setting: AgentSetting): Promise<boolean> {
  const { input, output, blocks } = instruction;
  if (blocks.length > 0) return runBlocks({ blocks }, instruction, setting);
  if (input === undefined || output === undefined) return true;
  const problem = copyInput(input, output, setting.workingDir);
  setting.emit({ kind: 'copy', from: input, to: output, ...(problem === undefined ? {} : { problem }) });
  return problem === undefined;
}
