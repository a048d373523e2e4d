import { canonicalJson } from '../../base/canonical-json.ts';
import { InputError, type Problem } from '../../model/problem.ts';
import { type Environment, say } from '../environment.ts';
import { EXIT } from '../exit-code.ts';
import { loadExperiment, warnings } from '../load-experiment.ts';

/** `skillpair check`: loads all that an experiment names; problems go to standard error, or as JSON to standard output. */
export async function checkCommand(
  environment: Environment,
  [path = '']: readonly string[],
  flags: { json?: boolean; substitute?: Readonly<Record<string, string>> },
): Promise<number> {
  try {
    const project = await loadExperiment(environment, path, flags.substitute);
    if (flags.json) printJson(environment, project.problems);
    else {
      environment.stderr.stream.write(warnings(environment, project));
      say(
        environment.stdout,
        `ok: ${project.tasks.length} tasks, ${project.configurations.length} configurations`,
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
