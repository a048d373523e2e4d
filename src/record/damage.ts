import { InputError } from '../model/problem.ts';

/** A file of a run folder that cannot be read: which, where, and why. The repair is a whole sentence. */
export function damage(
  where: { readonly file: string; readonly line?: number },
  reason: string,
  repair: string,
): InputError {
  return new InputError([{ severity: 'error', message: `damaged record: ${reason}`, where, repair }]);
}
