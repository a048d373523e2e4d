import { ok, type Result } from '../base/result.ts';
import { ModelScript } from '../model/model-script.ts';
import type { Problem } from '../model/problem.ts';
import type { LocatedFile } from './located-file.ts';
import { readYamlFile } from './yaml-file.ts';

/** Reads a model script. Its problems are warnings: rules that no request can reach. */
export async function loadModelScript(path: string): Promise<Result<LocatedFile<ModelScript>, Problem[]>> {
  const read = await readYamlFile(path, ModelScript);
  return read.ok
    ? ok({ ...read.value, problems: [...read.value.problems, ...unreachable(read.value)] })
    : read;
}

/** A rule without conditions takes all that comes to it. */
function unreachable(file: LocatedFile<ModelScript>): Problem[] {
  const { rules } = file.value;
  const last = rules.findIndex(({ when }) => Object.keys(when).length === 0);
  if (last === -1 || last === rules.length - 1) return [];
  return [
    {
      severity: 'warning',
      message: `rules[${last + 1}] and what follows are never reached: rules[${last}] fits every request`,
      where: file.locate(['rules', last + 1]),
      repair: `move rules[${last}] to the end, or give it a "when"`,
    },
  ];
}
