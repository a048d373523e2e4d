/**
 * Loaded ahead of the command line (`node --import`): ends the process at the file operation that `SKILLPAIR_CRASH_AT` numbers, or, without
 * it, writes how many there were to the file `SKILLPAIR_CRASH_COUNT`.
 */
import { writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import { crashAt } from './crash-point.ts';

const write = writeFileSync;
const { SKILLPAIR_CRASH_AT: at, SKILLPAIR_CRASH_COUNT: countFile } = process.env;
if (isMainThread && (at ?? countFile) !== undefined) {
  const count = await crashAt(at === undefined ? Number.POSITIVE_INFINITY : Number(at));
  if (countFile !== undefined) process.on('exit', () => write(countFile, String(count())));
}
