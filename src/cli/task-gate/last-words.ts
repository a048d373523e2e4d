import { join } from 'node:path';
import type { LastWords } from '../../lint/gate/gate-rule.ts';
import type { AttemptRecord } from '../../model/attempt.ts';
import { attemptLayout } from '../../record/layout.ts';
import { textTail } from '../../run/text-tail.ts';

/** Bytes; a last line is seldom longer. */
const TAIL = 4096;

/** What the scripts of attempts said last, from the evidence below `dir`; of attempts whose agent never ran nothing. */
export async function readLastWords(
  dir: string,
  records: readonly AttemptRecord[],
): Promise<ReadonlyMap<AttemptRecord, LastWords>> {
  const read = records
    .filter(({ agent }) => agent !== undefined)
    .map(async (record): Promise<[AttemptRecord, LastWords]> => {
      const file = join(attemptLayout(dir, record.trial, record.attempt).agentDir, 'stderr.log');
      const lines = (await textTail(file, TAIL)).split(/\r?\n/);
      const line = lines.findLast((one) => one.trim() !== '') ?? '';
      return [record, { line: line.trim(), file }];
    });
  return new Map(await Promise.all(read));
}
