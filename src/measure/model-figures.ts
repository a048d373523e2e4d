import type { AttemptRecord } from '../model/attempt.ts';
import type { ModelFigures, ModelSum } from '../model/measurement.ts';
import type { ProviderSettings } from '../model/model-settings.ts';
import type { ModelUse } from '../model/model-use.ts';
import type { TrialRecord } from '../model/run-record.ts';
import { attemptPrice } from '../price/attempt-price.ts';
import { byText, type Contrast, type TaskArms } from './pairing.ts';
import { usageSum } from './usage-sum.ts';

type Providers = Readonly<Record<string, ProviderSettings>>;

/** An attempt that was let to a model. */
type Admitted = AttemptRecord & { readonly modelUse: ModelUse };

/** What each arm asked of models; arms without an attempt that was let to one are left out. Accounts by name give the protocols. */
export function modelFigures(
  tasks: readonly TaskArms[],
  providers: Providers,
  contrast: Contrast,
): ModelFigures[] {
  const arm = (condition: ModelFigures['condition'], trials: readonly TrialRecord[]) => {
    const admitted = trials.flatMap(({ attempts }) => attempts).filter(isAdmitted);
    return admitted.length === 0 ? [] : [armFigures(condition, { trials, admitted, providers })];
  };
  return [
    ...arm(
      contrast.baseline,
      tasks.flatMap((task) => task.baseline.records),
    ),
    ...arm(
      contrast.treatment,
      tasks.flatMap((task) => task.treatment.records),
    ),
  ];
}

function isAdmitted(attempt: AttemptRecord): attempt is Admitted {
  return attempt.modelUse !== undefined;
}

interface Arm {
  readonly trials: readonly TrialRecord[];
  readonly admitted: readonly Admitted[];
  readonly providers: Providers;
}

function armFigures(
  condition: ModelFigures['condition'],
  { trials, admitted, providers }: Arm,
): ModelFigures {
  const scored = trials
    .flatMap(({ counted }) => counted ?? [])
    .filter(({ outcome }) => outcome.kind === 'scored')
    .filter(isAdmitted);
  const namesOf = <Name extends string>(names: (use: ModelUse) => readonly Name[]): Name[] =>
    [...new Set(admitted.flatMap(({ modelUse }) => names(modelUse)))].sort(byText);
  return {
    condition,
    modes: namesOf(({ mode }) => [mode]),
    askedModels: namesOf((use) => use.askedModels),
    servedModels: namesOf((use) => use.servedModels),
    scored: modelSum(scored, providers),
    all: modelSum(admitted, providers),
  };
}

function modelSum(attempts: readonly Admitted[], providers: Providers): ModelSum {
  const uses = attempts.map(({ modelUse }) => modelUse);
  const prices = attempts.flatMap((attempt) => attemptPrice(attempt, providers) ?? []);
  const unknownAttempts = attempts.length - prices.length;
  const isUnknown = unknownAttempts > 0 && prices.length === 0;
  return {
    attempts: attempts.length,
    requests: uses.reduce((sum, { requests }) => sum + requests, 0),
    failedRequests: uses.reduce((sum, { failedRequests }) => sum + failedRequests, 0),
    usage: usageSum(uses.map(({ usage }) => usage)),
    usd: { known: isUnknown ? null : prices.reduce((sum, usd) => sum + usd, 0), unknownAttempts },
  };
}
