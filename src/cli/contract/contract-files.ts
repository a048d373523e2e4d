import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Canary } from '../../harness/canary.ts';
import type { Harness } from '../../model/harness.ts';
import { HOME } from '../version.ts';
import { ANSWER_PATH, type ContractCase, NAIVE_COMMAND } from './contract-case.ts';

/** Above what Linux lets a single argument have, which is 128 KiB. */
const LONG_BYTES = 200 * 1024;
/** Stands last in every instruction: a script that finds it has been given the whole. */
const END_MARK = 'That is all: canary end of instruction.';

/** What the files of a case are made from. */
export interface CaseFrom {
  readonly contractCase: ContractCase;
  readonly harness: Harness;
  readonly canary: Canary;
  /** Asked for by harnesses that need a model. */
  readonly model: string;
}

/** Writes an experiment of one trial with all that it names into a folder that is there; returns the experiment file's path. */
export async function writeCaseFiles(dir: string, from: CaseFrom): Promise<string> {
  const { contractCase, canary } = from;
  const experimentPath = join(dir, 'experiment.yaml');
  const script = { schemaVersion: 1, rules: [ruleOf(from)] };
  const files: Readonly<Record<string, string>> = {
    'experiment.yaml': JSON.stringify(experimentOf(from)),
    'script.yaml': JSON.stringify(script),
    [`skills/${canary.name}/SKILL.md`]: `${canary.skillFile}\n${block(answerWith(canary.token))}`,
    'tasks/canary/task.yaml': JSON.stringify(taskOf(from)),
    'tasks/canary/instruction.md': instructionOf(contractCase),
    'tasks/canary/environment/Dockerfile': 'FROM skillpair/base:1\n',
    'tasks/canary/tests/test_outputs.py': testsOf(canary),
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), text);
  }
  return experimentPath;
}

function ruleOf({ contractCase, harness, canary }: CaseFrom) {
  return { when: { instruction: END_MARK }, ...contractCase.rule(harness.manifest, canary) };
}

function experimentOf({ contractCase, harness, model }: CaseFrom) {
  const { id, protocol } = harness.manifest;
  const needsModel = protocol !== undefined;
  return {
    schemaVersion: 1,
    name: `check-${contractCase.name}`,
    tasks: { folders: ['tasks'] },
    skills: 'skills',
    harnesses: dirname(harness.dir),
    verifiers: join(HOME, 'verifiers'),
    conditions: [contractCase.condition],
    configurations: [{ name: 'checked', harness: id, ...(needsModel ? { model } : {}) }],
    attempts: { max: 1 },
    ...(needsModel ? { models: modelsOf(contractCase) } : {}),
  };
}

function modelsOf({ servedModelDiffers, stalledAfterSeconds }: ContractCase) {
  return {
    mode: 'scripted',
    script: 'script.yaml',
    ...(servedModelDiffers === undefined ? {} : { servedModelDiffers }),
    ...(stalledAfterSeconds === undefined ? {} : { stalledAfterSeconds }),
  };
}

function taskOf({ contractCase, canary }: CaseFrom) {
  return {
    schemaVersion: 1,
    title: 'Write the token of the day',
    domain: 'software-engineering',
    capability: 'file-handling',
    difficulty: 'core',
    tags: ['canary'],
    skills: [canary.name],
    environment: { cpus: 1, memory: '2GiB', network: 'none' },
    agent: { timeout: contractCase.agentTimeout ?? '2m', user: 'agent' },
    verifier: { kind: 'pytest', timeout: '1m', outputs: [dirname(ANSWER_PATH)] },
  };
}

function instructionOf({ longInstruction }: ContractCase): string {
  return [
    'Write the token of the day and a newline into the file named below. Where nothing tells it, this will do:',
    '',
    block(NAIVE_COMMAND),
    `- Output: \`${ANSWER_PATH}\``,
    '',
    ...(longInstruction === true ? [filler(), ''] : []),
    END_MARK,
    '',
  ].join('\n');
}

function filler(): string {
  const line = 'This line changes nothing of what is asked for.\n';
  return line.repeat(Math.ceil(LONG_BYTES / line.length)).trimEnd();
}

function testsOf({ token }: Canary): string {
  return [
    'from pathlib import Path',
    '',
    '',
    'def test_the_token_was_written():',
    `    assert Path("${ANSWER_PATH}").read_text().strip() == "${token}"`,
    '',
  ].join('\n');
}

function answerWith(token: string): string {
  return `mkdir -p /workspace/out && echo ${token} > ${ANSWER_PATH}`;
}

function block(command: string): string {
  return `\`\`\`sh\n${command}\n\`\`\`\n`;
}
