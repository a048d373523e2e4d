import { shortDigest } from '../base/digest.ts';
import type { Configuration } from '../model/configuration.ts';
import type { RunLock } from '../model/run-lock.ts';
import type { Difference } from './difference.ts';

/** Configurations and harnesses of a run against those of now. Only those the run uses count. */
export function configurationDifferences(locked: RunLock, fresh: RunLock): Difference[] {
  const now = new Map(fresh.configurations.map((configuration) => [configuration.name, configuration]));
  return [
    ...locked.configurations.flatMap((before) =>
      oneConfiguration(before, now.get(before.name) ?? renamed(before, locked, fresh)),
    ),
    ...harnesses(locked, fresh),
  ];
}

/** A name made of harness and model changes with the model: then the one newcomer on the same harness is meant. */
function renamed(before: Configuration, locked: RunLock, fresh: RunLock): Configuration | undefined {
  const known = new Set(locked.configurations.map(({ name }) => name));
  const newcomers = fresh.configurations.filter(
    ({ name, harness, model }) =>
      !known.has(name) && harness === before.harness && model !== undefined && before.model !== undefined,
  );
  return newcomers.length === 1 ? newcomers[0] : undefined;
}

function oneConfiguration(before: Configuration, now: Configuration | undefined): Difference[] {
  const field = `configurations.${before.name}`;
  const name = `configuration ${before.name}`;
  if (now === undefined) return [drift(field, `${name} is gone`)];
  const found: Difference[] = [];
  if (before.name !== now.name) found.push(drift(`${field}.name`, `${name} is now named ${now.name}`));
  if (before.harness !== now.harness)
    found.push(drift(`${field}.harness`, `${name}: harness changed (${before.harness} -> ${now.harness})`));
  if (before.model !== now.model)
    found.push(
      drift(`${field}.model`, `${name}: model changed (${before.model ?? 'none'} -> ${now.model ?? 'none'})`),
    );
  if (before.provider !== now.provider)
    found.push(
      drift(
        `${field}.provider`,
        `${name}: provider changed (${before.provider ?? 'standard'} -> ${now.provider ?? 'standard'})`,
      ),
    );
  // Values may be secrets: names only.
  for (const variable of changedVariables(before.env, now.env))
    found.push(drift(`${field}.env.${variable}`, `${name}: environment variable ${variable} changed`));
  return found;
}

function changedVariables(before: Configuration['env'], now: Configuration['env']): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(now)]);
  return [...names].filter((name) => before[name] !== now[name]).sort();
}

function harnesses(locked: RunLock, fresh: RunLock): Difference[] {
  const now = new Map(fresh.harnesses.map((harness) => [harness.id, harness]));
  return locked.harnesses.flatMap((before) => {
    const field = `harnesses.${before.id}`;
    const is = now.get(before.id);
    if (is === undefined) return [drift(field, `harness ${before.id} is gone`)];
    if (before.version !== is.version)
      return [
        drift(
          `${field}.version`,
          `harness ${before.id}: version changed (${before.version} -> ${is.version})`,
        ),
      ];
    if (before.digest === is.digest) return [];
    const moved = `${shortDigest(before.digest)} -> ${shortDigest(is.digest)}`;
    return [drift(`${field}.digest`, `harness ${before.id}: its files changed (${moved})`)];
  });
}

function drift(field: string, message: string): Difference {
  return { field, kind: 'drift', message };
}
