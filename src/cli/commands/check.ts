import { canonicalJson } from '../../base/canonical-json.ts';
import { hasErrors, InputError, type Problem } from '../../model/problem.ts';
import { formatMany } from '../../report/format.ts';
import { type Environment, say } from '../environment.ts';
import { EXIT } from '../exit-code.ts';
import { loadExperiment, warnings } from '../load-experiment.ts';
import { imageProblems } from '../look-at-images.ts';

/**
 * `skillpair check`: loads all that an experiment names and reads its Dockerfiles as far as files go, without an engine.
 * Problems go to standard error, or as JSON to standard output.
 */
export async function checkCommand(
  environment: Environment,
  [path = '']: readonly string[],
  flags: { json?: boolean; substitute?: Readonly<Record<string, string>> },
): Promise<number> {
  try {
    const project = await loadExperiment(environment, path, flags.substitute);
    const problems = [...project.problems, ...(await imageProblems(project))];
    if (hasErrors(problems)) throw new InputError(problems);
    if (flags.json) printJson(environment, problems);
    else {
      environment.stderr.stream.write(warnings(environment, problems));
      say(
        environment.stdout,
        `ok: ${formatMany(project.tasks.length, 'task')}, ${formatMany(project.configurations.length, 'configuration')}`,
      );
    }
    return EXIT.ok;
  } catch (error) {
    if (!(error instanceof InputError) || !flags.json) throw error;
    printJson(environment, error.problems);
    return EXIT.input;
  }
}

function printJson(environment: Environment, problems: readonly Problem[]): void {
  say(environment.stdout, canonicalJson({ schemaVersion: 1, problems }));
}
