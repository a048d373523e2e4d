import { err, ok, type Result } from '../base/result.ts';
import type { Configuration } from '../model/configuration.ts';
import { type ConfigurationEntry, Experiment, type ImageSettings } from '../model/experiment.ts';
import { ConfigurationName } from '../model/ids.ts';
import type { Problem } from '../model/problem.ts';
import { type LocatedFile, valueAt } from './located-file.ts';
import type { MachineImages } from './machine-settings.ts';
import { readYamlFile } from './yaml-file.ts';

/** An experiment file with the machine's image settings under its own, and its configurations by name. */
export interface LoadedExperiment {
  readonly file: LocatedFile<Experiment>;
  readonly experiment: Experiment;
  readonly configurations: readonly Configuration[];
}

/** Reads an experiment file. What is named in it (tasks, harnesses) is not looked at yet. `flagged`: stand-ins for this run alone. */
export async function loadExperiment(
  path: string,
  machine: MachineImages,
  flagged: ImageSettings['substitute'] = {},
): Promise<Result<LoadedExperiment, Problem[]>> {
  const read = await readYamlFile(path, Experiment);
  if (!read.ok) return read;
  const file = read.value;
  const named = file.value.configurations.map((entry, index) => nameConfiguration(entry, { file, index }));
  const configurations = named.flatMap((one) => (one.ok ? [one.value] : []));
  const problems = [
    ...named.flatMap((one) => (one.ok ? [] : [one.error])),
    ...repeatedNames(configurations, file),
    ...repeatedConditions(file),
  ];
  if (problems.length > 0) return err(problems);
  const experiment = { ...file.value, images: mergeImages(file, machine, flagged) };
  return ok({ file, experiment, configurations });
}

/** What the experiment writes wins over the machine, and a stand-in given as a flag over both; names only the machine has stay. */
function mergeImages(
  file: LocatedFile<Experiment>,
  machine: MachineImages,
  flagged: ImageSettings['substitute'],
): ImageSettings {
  const own = file.value.images;
  const isWritten = (key: string) => valueAt(file.written, ['images', key]) !== undefined;
  return {
    ...own,
    substitute: { ...machine.substitute, ...own.substitute, ...flagged },
    trustCa: isWritten('trustCa') ? own.trustCa : machine.trustCa,
    buildTimeFactor: isWritten('buildTimeFactor') ? own.buildTimeFactor : machine.buildTimeFactor,
  };
}

interface Position {
  readonly file: LocatedFile<Experiment>;
  readonly index: number;
}

function nameConfiguration(
  entry: ConfigurationEntry,
  { file, index }: Position,
): Result<Configuration, Problem> {
  const derived = entry.model === undefined ? entry.harness : `${entry.harness}@${entry.model}`;
  const name = ConfigurationName.safeParse(entry.name ?? derived);
  if (!name.success) {
    return err({
      severity: 'error',
      message: `"${derived}", the name made from harness and model, is no configuration name`,
      where: file.locate(['configurations', index], 'key'),
      repair: 'give the configuration a name of letters, digits and "._@+-"',
    });
  }
  const model = entry.model === undefined ? {} : { model: entry.model };
  const provider = entry.provider === undefined ? {} : { provider: entry.provider };
  return ok({ name: name.data, harness: entry.harness, ...model, ...provider, env: entry.env });
}

/** Names become folder names, so two that differ only in case are the same. */
function repeatedNames(configurations: readonly Configuration[], file: LocatedFile<Experiment>): Problem[] {
  const seen = new Map<string, string>();
  return configurations.flatMap((configuration, index): Problem[] => {
    const key = configuration.name.toLowerCase();
    const earlier = seen.get(key);
    seen.set(key, configuration.name);
    if (earlier === undefined) return [];
    const same = earlier === configuration.name ? 'stands twice' : `differs from "${earlier}" only in case`;
    return [
      {
        severity: 'error',
        message: `the configuration name "${configuration.name}" ${same}`,
        where: file.locate(['configurations', index, 'name']),
        repair: 'give each configuration a name of its own with "name:"',
      },
    ];
  });
}

function repeatedConditions(file: LocatedFile<Experiment>): Problem[] {
  return file.value.conditions.flatMap((condition, index, all): Problem[] =>
    all.indexOf(condition) === index
      ? []
      : [
          {
            severity: 'error',
            message: `the condition "${condition}" stands twice`,
            where: file.locate(['conditions', index]),
            repair: 'keep one of the two',
          },
        ],
  );
}
