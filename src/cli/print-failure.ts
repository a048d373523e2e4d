import { LockedError } from '../base/lock-file.ts';
import { originalError } from '../base/original-error.ts';
import { EngineError } from '../engine/engine.ts';
import { COMMAND } from '../model/command.ts';
import { Fault } from '../model/fault.ts';
import { InputError } from '../model/problem.ts';
import { DiskError, isDiskRefusal } from '../record/disk-error.ts';
import { type Environment, say } from './environment.ts';
import { EXIT } from './exit-code.ts';

/** Prints what ended a command, with a repair where there is one, and returns its exit code. */
export async function printFailure(environment: Environment, caught: unknown): Promise<number> {
  const error = originalError(caught);
  const { stderr } = environment;
  if (error instanceof InputError) {
    const { renderProblems } = await import('../load/render-problems.ts');
    stderr.stream.write(renderProblems(error.problems, environment.cwd));
    return EXIT.input;
  }
  if (error instanceof LockedError) {
    say(stderr, `error: another skillpair works on this run: ${error.message}`);
    say(stderr, `  fix: wait for it, or end process ${error.owner.pid}`);
    return EXIT.input;
  }
  if (error instanceof EngineError) {
    say(stderr, `error: ${error.message}`);
    say(stderr, `  fix: ${COMMAND} doctor names what is wrong and what to do`);
    return EXIT.environment;
  }
  if (error instanceof Fault) {
    say(stderr, `error: ${error.message}`);
    return EXIT.environment;
  }
  if (error instanceof DiskError) {
    say(stderr, `error: ${error.message}`);
    return EXIT.environment;
  }
  if (isDiskRefusal(error)) {
    say(stderr, `error: ${error.message}`);
    say(stderr, `  fix: free disk space (${COMMAND} clean --images), then ${COMMAND} resume`);
    return EXIT.environment;
  }
  say(stderr, `error: a fault of skillpair itself: ${error instanceof Error ? error.stack : String(error)}`);
  return EXIT.incomplete;
}
