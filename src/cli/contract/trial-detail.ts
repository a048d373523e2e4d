import { join } from 'node:path';
import { streamTail } from '../../harness/stream-tail.ts';
import type { AttemptRecord } from '../../model/attempt.ts';
import { cutLine, plainText } from '../../report/plain-text.ts';

/** Characters of a program's last words that are shown. */
const MOST = 300;

/**
 * What is known of a trial that did not do what it should have, a fact a line: the fault, the agent's end, whether it reached the gateway, its
 * last words, and the folder with the rest. Reads `agent/stderr.log` below `dir`, the attempt's folder.
 */
export async function trialDetail(
  dir: string,
  { outcome, agent, modelUse }: Pick<AttemptRecord, 'outcome' | 'agent' | 'modelUse'>,
): Promise<string> {
  const lastWords = lastLine(await streamTail(join(dir, 'agent', 'stderr.log')));
  return [
    ...(outcome.kind === 'unscored' ? [outcome.detail] : []),
    endOf(agent),
    ...(modelUse === undefined ? [] : [requestsOf(modelUse)]),
    lastWords === undefined ? 'agent/stderr.log is empty' : `agent/stderr.log ends with: ${lastWords}`,
    `evidence: ${dir}`,
  ].join('\n');
}

function endOf(agent: AttemptRecord['agent']): string {
  if (agent === undefined) return 'no agent was started';
  const { exitCode, signal, ending } = agent;
  if (exitCode !== null) return `agent: ${ending}, exit code ${exitCode}`;
  return `agent: ${ending}, no exit code${signal === undefined ? '' : ` (${signal})`}`;
}

function requestsOf({ requests }: NonNullable<AttemptRecord['modelUse']>): string {
  return requests === 0
    ? 'model requests: 0, the program never reached the gateway with its token'
    : `model requests: ${requests}`;
}

/** Where an error came from, below what it says. */
const STACK_FRAME = /^at .*(:\d+:\d+|<anonymous>)\)?$/;

function lastLine(text: string): string | undefined {
  const last = plainText(text)
    .split('\n')
    .map((line) => line.trim())
    .findLast((line) => line !== '' && !STACK_FRAME.test(line));
  return last === undefined ? undefined : cutLine(last, MOST);
}
