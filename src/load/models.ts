import { resolve } from 'node:path';
import { digestValue } from '../base/digest.ts';
import { accountProtocol } from '../model/account-protocol.ts';
import type { Configuration } from '../model/configuration.ts';
import type { Experiment } from '../model/experiment.ts';
import type { Harness } from '../model/harness.ts';
import { ModelProtocol } from '../model/model-protocol.ts';
import { hasErrors, type Problem } from '../model/problem.ts';
import type { ProjectScript } from '../model/project.ts';
import { didYouMean } from './did-you-mean.ts';
import { type LocatedFile, valueAt } from './located-file.ts';
import { loadModelScript } from './model-script.ts';
import { checkMoneyBudgets } from './money-budgets.ts';

/** The script that answers in the place of a model, where the experiment names one, and what is wrong with `models`. */
export interface LoadedModels {
  readonly script?: ProjectScript;
  readonly problems: readonly Problem[];
}

/** Checks `models:` against the harnesses that need models, and reads the script. `base`: the experiment's folder. */
export async function loadModels(
  file: LocatedFile<Experiment>,
  from: {
    readonly base: string;
    readonly configurations: readonly Configuration[];
    readonly harnesses: ReadonlyMap<string, Harness>;
  },
): Promise<LoadedModels> {
  const problems = [...checkMode(file), ...checkProviders(file, from), ...checkMoneyBudgets(file, from)];
  const { mode, script } = file.value.models;
  if (mode !== 'scripted' || script === undefined) return { problems };
  const read = await loadModelScript(resolve(from.base, script));
  if (!read.ok) return { problems: [...problems, ...read.error] };
  const all = [...problems, ...read.value.problems];
  if (hasErrors(all)) return { problems: all };
  return { script: { value: read.value.value, digest: digestValue(read.value.value) }, problems: all };
}

/** Settings that belong to one mode and stand beside another. */
function checkMode(file: LocatedFile<Experiment>): Problem[] {
  const { mode, cassette, script } = file.value.models;
  const usesCassette = mode === 'record' || mode === 'replay';
  const problems: Problem[] = [];
  if (usesCassette && cassette === undefined) {
    problems.push({
      severity: 'error',
      message: `models.mode is "${mode}" and there is no models.cassette`,
      where: file.locate(['models', 'mode']),
      repair: 'name the folder of recorded exchanges: cassette: cassettes/first',
    });
  }
  const idle = [
    ['cassette', cassette, usesCassette, 'record" or "replay'] as const,
    ['script', script, mode === 'scripted', 'scripted'] as const,
  ];
  for (const [key, value, isUsed, modes] of idle) {
    if (value === undefined || isUsed) continue;
    problems.push({
      severity: 'error',
      message: `models.${key} has no effect with mode "${mode}"`,
      where: file.locate(['models', key]),
      repair: `write "mode: ${modes}", or remove it`,
    });
  }
  return problems;
}

/** Each configuration's account must be there and speak its harness's protocol. */
function checkProviders(
  file: LocatedFile<Experiment>,
  from: {
    readonly configurations: readonly Configuration[];
    readonly harnesses: ReadonlyMap<string, Harness>;
  },
): Problem[] {
  return from.configurations.flatMap((configuration, index): Problem[] => {
    const { provider } = configuration;
    if (provider === undefined) return [];
    const where = file.locate(['configurations', index, 'provider']);
    const protocol = from.harnesses.get(configuration.harness)?.manifest.protocol;
    if (protocol === undefined) {
      const message = `the harness "${configuration.harness}" uses no model: provider "${provider}" has no effect`;
      return [{ severity: 'warning', message, where, repair: 'remove it' }];
    }
    const names = [...new Set([...Object.keys(file.value.models.providers), ...ModelProtocol.options])];
    const speaks = accountProtocol(provider, file.value.models.providers);
    if (speaks === undefined) {
      const message = `there is no account "${provider}" under models.providers`;
      return [{ severity: 'error', message, where, repair: didYouMean(provider, names) }];
    }
    if (speaks === protocol) return [];
    const message = `the account "${provider}" speaks ${speaks}, the harness "${configuration.harness}" ${protocol}`;
    const written = valueAt(file.written, ['models', 'providers', provider, 'protocol']) !== undefined;
    const repair = written
      ? 'name an account of that protocol'
      : `add one under models.providers with "protocol: ${protocol}"`;
    return [{ severity: 'error', message, where, repair }];
  });
}
