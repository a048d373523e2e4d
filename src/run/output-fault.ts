import type { MainExit } from '../engine/main-process.ts';
import type { AttemptInput } from './trial-context.ts';

/** Puts into the record that the streams on disk may lack a part; what was received is kept all the same. */
export function noticeOutputFault(
  input: Pick<AttemptInput, 'notice'>,
  who: 'agent' | 'verifier',
  { outputFault }: Pick<MainExit, 'outputFault'>,
): void {
  if (outputFault === undefined) return;
  input.notice({
    code: 'output-incomplete',
    detail: `the output of the ${who} may be incomplete: ${outputFault}`,
  });
}
