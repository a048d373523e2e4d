import type { LiveAccount } from '../gateway/live/live-respond.ts';
import type { Experiment } from '../model/experiment.ts';
import { ModelProtocol } from '../model/model-protocol.ts';
import { InputError, type Problem } from '../model/problem.ts';
import type { Project } from '../model/project.ts';
import type { Trial } from '../model/trial.ts';
import type { Environment } from './environment.ts';

/** Where the accounts that need not be written find their keys: the variables that the providers' own programs read. */
const KEY_VARIABLES: Readonly<Record<ModelProtocol, string>> = {
  'anthropic-messages': 'ANTHROPIC_API_KEY',
  'openai-responses': 'OPENAI_API_KEY',
  'openai-chat': 'OPENAI_API_KEY',
  gemini: 'GEMINI_API_KEY',
};

/**
 * The accounts that the planned trials ask, by name, with their keys out of the environment. Throws InputError naming every variable
 * that is not set, and the file that asks for it: better now than after the images are built.
 */
export function modelAccounts(
  environment: Pick<Environment, 'env'>,
  project: Project,
  trials: readonly Trial[],
): ReadonlyMap<string, LiveAccount> {
  const accounts = new Map<string, LiveAccount>();
  const missing = new Map<string, string[]>();
  for (const name of accountNames(project, trials)) {
    const account = accountOf(project.experiment, name);
    if (account === undefined) continue;
    const { keyEnv, ...rest } = account;
    const key = environment.env[keyEnv];
    if (key === undefined || key === '') missing.set(keyEnv, [...(missing.get(keyEnv) ?? []), name]);
    else accounts.set(name, { ...rest, key });
  }
  if (missing.size > 0) throw new InputError([...missing].map((entry) => unset(project, entry)));
  return accounts;
}

/** Accounts that at least one planned trial asks. */
function accountNames({ configurations, harnesses }: Project, trials: readonly Trial[]): Set<string> {
  const used = new Set(trials.map(({ configuration }) => configuration));
  return new Set(
    configurations
      .filter(({ name }) => used.has(name))
      .flatMap(({ provider, harness }) => provider ?? harnesses.get(harness)?.manifest.protocol ?? []),
  );
}

function accountOf({ models }: Experiment, name: string) {
  const written = models.providers[name];
  if (written !== undefined) return written;
  const protocol = ModelProtocol.options.find((known) => known === name);
  return protocol === undefined ? undefined : { protocol, keyEnv: KEY_VARIABLES[protocol] };
}

function unset(
  { experimentPath }: Project,
  [variable, names]: readonly [string, readonly string[]],
): Problem {
  return {
    severity: 'error',
    message: `the environment variable ${variable} is not set; it holds the key of the account ${names.join(', ')}`,
    where: { file: experimentPath },
    repair: `set ${variable}, or try without a provider: models: { mode: scripted }`,
  };
}
