import { readFile } from 'node:fs/promises';
import { InputError } from '../model/problem.ts';
import { RunLock } from '../model/run-lock.ts';
import type { Plan } from '../model/trial.ts';
import { damage } from './damage.ts';
import { runLayout } from './layout.ts';
import { parseRecord } from './parse-record.ts';

/** Reads `run.json`. Rejects with InputError when there is none, or when it is damaged. */
export async function readLock(dir: string): Promise<RunLock> {
  const file = runLayout(dir).runFile;
  const text = await readIfThere(file);
  if (text === undefined) {
    throw new InputError([
      {
        severity: 'error',
        message: 'there is no run here: run.json is missing',
        where: { file },
        repair:
          'name the folder of a run; one whose runner was killed before it wrote run.json holds nothing and may be deleted',
      },
    ]);
  }
  const repair = 'put run.json back from a copy; without it the records of this run cannot be told';
  const lock = parseRecord(RunLock, text, { file, repair });
  const fault = planFault(lock.plan);
  if (fault !== undefined) throw damage({ file }, fault, repair);
  return lock;
}

/** Records are found by the parts of a trial and told by its id: the two must say the same, and only once. */
function planFault(plan: Plan): string | undefined {
  const seen = new Set<string>();
  for (const { id, task, condition, index, configuration } of plan.trials) {
    if (id !== `${task}/${condition}/${index}/${configuration}`) return `trial ${id} is made of other parts`;
    if (seen.has(id)) return `trial ${id} is planned twice`;
    seen.add(id);
  }
  return undefined;
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}
