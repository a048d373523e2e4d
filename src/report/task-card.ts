import { shortDigest } from '../base/digest.ts';
import type { Limits } from '../model/attempt.ts';
import type { Task, TimeEstimates } from '../model/task.ts';
import { formatMany } from './format.ts';
import { plainLine } from './plain-text.ts';
import { memoryText, stateText, type TaskState } from './task-table.ts';

/** One task as it was understood. */
export interface ShownTask {
  readonly id: string;
  readonly dir: string;
  readonly format: Task['format'];
  readonly state: TaskState;
  /** Undefined where the task's file could not be read. */
  readonly understood: UnderstoodTask | undefined;
}

/** What stands in the files of a task, and what of it a trial gets on this host. */
export interface UnderstoodTask extends Pick<Task, 'digest' | 'metadata' | 'environment' | 'verifier'> {
  readonly instruction: { readonly characters: number; readonly lines: number };
  readonly limits: Limits;
  /** User of the agent; undefined: the image's own. */
  readonly user: string | undefined;
  readonly hasSolution: boolean;
  readonly skills: readonly { readonly name: string; readonly digest: string; readonly files: number }[];
  readonly looseSkillFiles: readonly string[];
  readonly bases: readonly {
    readonly name: string;
    readonly line: number;
    readonly platform?: string;
    /** The local image that stands in. */
    readonly substitute?: string;
  }[];
}

/** A line for each thing, its name first. */
export function renderTask(task: ShownTask): string {
  const { id, dir, format, state, understood } = task;
  const rows: Row[] = [
    ['task', id],
    ['folder', dir],
    ['format', format],
    ['state', stateText(state)],
    ...(understood === undefined ? [] : understoodRows(understood)),
  ];
  return rows.map(([name, text]) => `${`${name}:`.padEnd(13)} ${plainLine(text)}`).join('\n');
}

type Row = readonly [name: string, text: string];

function understoodRows(task: UnderstoodTask): Row[] {
  const { metadata, instruction, environment, limits, verifier } = task;
  const { title, domain, capability, difficulty, tags, estimates } = metadata;
  const { network, allowHosts } = environment;
  return [
    ['title', title],
    ['domain', `${domain}; capability: ${capability}; difficulty: ${difficulty}`],
    ...(estimates === undefined ? [] : [['estimates', estimatesText(estimates)] as const]),
    ['tags', tags.join(', ') || 'none'],
    ['digest', shortDigest(task.digest)],
    [
      'instruction',
      `${formatMany(instruction.characters, 'character')}, ${formatMany(instruction.lines, 'line')}`,
    ],
    ...task.bases.map((base): Row => ['base', baseText(base)]),
    ['cpus', granted(limits.cpus, String)],
    ['memory', granted(limits.memoryBytes, memoryText)],
    ['processes', String(limits.pids.granted)],
    ['build', `${seconds(environment.buildTimeoutMs)} at most`],
    ['agent', `${seconds(limits.agentTimeoutMs)} at most, as ${task.user ?? "the image's own user"}`],
    ['network', allowHosts.length > 0 ? `${network}: ${allowHosts.join(', ')}` : network],
    ['environment', Object.keys(environment.env).join(', ') || 'nothing set'],
    ['verifier', verifierText(verifier)],
    ['solution', task.hasSolution ? 'there is one' : 'none'],
    ...task.skills.map(
      ({ name, digest, files }): Row => [
        'Skill',
        `${name}, ${shortDigest(digest)}, ${formatMany(files, 'file')}`,
      ],
    ),
    ...task.looseSkillFiles.map((path): Row => ['beside Skills', path]),
  ];
}

function baseText({ name, line, platform, substitute }: UnderstoodTask['bases'][number]): string {
  const stand = substitute === undefined ? '' : `, for which ${substitute} stands in`;
  return `${name}${platform === undefined ? '' : ` (${platform})`}, Dockerfile line ${line}${stand}`;
}

function estimatesText({ expertMinutes, juniorMinutes }: TimeEstimates): string {
  const expert = expertMinutes === undefined ? [] : [`${expertMinutes} min for an expert`];
  const junior = juniorMinutes === undefined ? [] : [`${juniorMinutes} min for a junior`];
  return [...expert, ...junior].join(', ') || 'none';
}

function granted(
  { wished, granted: given }: { readonly wished: number; readonly granted: number },
  text: (value: number) => string,
): string {
  return wished === given ? text(given) : `${text(given)} (${text(wished)} wished: more than the host has)`;
}

function verifierText({ kind, isolation, network, timeoutMs, outputs, skipped }: Task['verifier']): string {
  const sees =
    isolation === 'outputs'
      ? `sees ${outputs.join(', ')} alone`
      : "works on a copy of the agent's file system";
  return `${kind}, ${sees}, network ${network}, ${seconds(timeoutMs)} at most, skipped tests: ${skipped}`;
}

function seconds(milliseconds: number): string {
  return `${milliseconds / 1000} s`;
}
