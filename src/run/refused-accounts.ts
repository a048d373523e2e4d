import type { Gateway } from '../gateway/gateway.ts';
import type { AttemptRecord } from '../model/attempt.ts';
import { COMMAND } from '../model/command.ts';
import type { Project } from '../model/project.ts';
import type { Trial } from '../model/trial.ts';

/** What is needed to know whose key was refused. */
export interface RefusedAccountsOptions {
  readonly project: Pick<Project, 'configurations' | 'harnesses'>;
  readonly models: { readonly gateway: Pick<Gateway, 'refused'> } | undefined;
  /** Told once for each configuration, with how to go on. */
  readonly say: (message: string) => void;
}

/**
 * Configurations whose key a provider refused. Their remaining trials, of all arms alike, are held before anything is made for them: they
 * stay `not-run`, since they never began, and a resumed run begins them.
 */
export class RefusedAccounts {
  readonly #options: RefusedAccountsOptions;
  readonly #held = new Set<string>();

  constructor(options: RefusedAccountsOptions) {
    this.#options = options;
  }

  /** Whether a trial must not begin. Asks the gateway too: a key serves every configuration on its account. */
  holds({ configuration }: Trial): boolean {
    const detail = this.#options.models?.gateway.refused(this.#account(configuration) ?? '')?.detail;
    if (detail !== undefined) this.#hold(configuration, detail);
    return this.#held.has(configuration);
  }

  /** Takes notice of how an attempt ended. */
  ended({ trial, outcome }: Pick<AttemptRecord, 'trial' | 'outcome'>): void {
    if (outcome.kind === 'unscored' && outcome.reason === 'provider-auth')
      this.#hold(trial.configuration, outcome.detail);
  }

  #hold(configuration: string, detail: string): void {
    if (this.#held.has(configuration)) return;
    this.#held.add(configuration);
    const account = this.#account(configuration);
    const named = account === undefined ? '' : ` (account ${account})`;
    this.#options.say(
      `configuration ${configuration}${named} is held, no further trial of it is started: ${detail}; mend the key, then: ${COMMAND} resume <run> --retry-unscored`,
    );
  }

  #account(name: string): string | undefined {
    const found = this.#options.project.configurations.find((one) => one.name === name);
    return found && (found.provider ?? this.#options.project.harnesses.get(found.harness)?.manifest.protocol);
  }
}
