import { dirname, resolve } from 'node:path';
import type { Engine } from '../engine/engine.ts';
import { recordRespond } from '../gateway/cassette/record-respond.ts';
import { type Cassette, openCassette, replayRespond } from '../gateway/cassette/replay-respond.ts';
import type { Respond } from '../gateway/exchange.ts';
import type { Admission } from '../gateway/gateway.ts';
import { liveResponder } from '../gateway/live/live-respond.ts';
import { makeRedactor } from '../gateway/redact/redactor.ts';
import { DEFAULT_SCRIPT } from '../gateway/scripted/default-script.ts';
import { scriptedModel } from '../gateway/scripted/scripted-model.ts';
import { type GatewayOptions, startGateway } from '../gateway/start-gateway.ts';
import type { ImageStore } from '../image/image-store.ts';
import { accountProtocol } from '../model/account-protocol.ts';
import type { ReachSettings } from '../model/gateway-way.ts';
import type { RunId } from '../model/ids.ts';
import type { ModelSettings } from '../model/model-settings.ts';
import { InputError } from '../model/problem.ts';
import type { Project } from '../model/project.ts';
import type { Trial } from '../model/trial.ts';
import { modelPrice } from '../price/model-price.ts';
import { NO_PROVIDER, needsGateway } from '../run/model-access.ts';
import type { RunModels } from '../run/run-models.ts';
import type { Environment } from './environment.ts';
import { HOST_CERTIFICATES } from './host-certificates.ts';
import { modelAccounts } from './model-accounts.ts';
import { providerConnection } from './provider-connection.ts';
import { openWays } from './ways.ts';

/** The gateway and the networks of one run. Disposing closes the gateway and removes the networks. */
export type OpenModels = RunModels & AsyncDisposable;

/** What is opened for, and who is told. */
export interface ModelsFor {
  readonly project: Project;
  readonly engine: Engine;
  readonly run: RunId;
  readonly trials: readonly Trial[];
  readonly images: Pick<ImageStore, 'ownBase'>;
  readonly reach: ReachSettings;
  readonly stop: AbortSignal;
  readonly say: (message: string) => void;
  readonly leftBehind: (what: string) => void;
}

/** Throws InputError for what the planned trials need of models and is not there: a key, a cassette. Better now than halfway. */
export async function requireModels(
  environment: Pick<Environment, 'env'>,
  project: Project,
  trials: readonly Trial[],
): Promise<void> {
  if (!trials.some((trial) => goesThrough(project, trial))) return;
  const { mode } = project.experiment.models;
  if (mode === 'replay') await cassetteOf(project);
  else if (mode !== 'scripted') modelAccounts(environment, project, trials);
}

/** Opens the gateway where a planned trial goes through it; undefined where none does. Throws InputError for a key that is not there. */
export async function openModels(
  environment: Pick<Environment, 'env'>,
  from: ModelsFor,
): Promise<OpenModels | undefined> {
  const { project } = from;
  if (!from.trials.some((trial) => goesThrough(project, trial))) return undefined;
  await using stack = new AsyncDisposableStack();
  const settings = project.experiment.models;
  const answers = await makeAnswers(environment, from, stack);
  const gateway = stack.use(
    await startGateway({ hosts: ['127.0.0.1'], settings, price: priceFor(settings), ...answers }),
  );
  const ways = stack.use(openWays(gateway, { ...from, settings: from.reach }));
  const owned = stack.move();
  const { networks, reach } = ways;
  return { gateway, networks, reach, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

function goesThrough({ tasks, configurations, harnesses }: Project, trial: Trial): boolean {
  const task = tasks.find(({ id }) => id === trial.task);
  const configuration = configurations.find(({ name }) => name === trial.configuration);
  const harness = harnesses.get(configuration?.harness ?? '');
  return task !== undefined && harness !== undefined && needsGateway(harness, task);
}

interface Answers {
  readonly respond: (admission: Admission) => Respond;
  readonly secrets: readonly string[];
}

async function makeAnswers(
  environment: Pick<Environment, 'env'>,
  { project, trials }: ModelsFor,
  stack: AsyncDisposableStack,
): Promise<Answers> {
  const { mode } = project.experiment.models;
  if (mode === 'scripted') {
    const respond = scriptedModel(project.script?.value ?? DEFAULT_SCRIPT);
    return { respond: ({ provider }) => (provider === NO_PROVIDER ? nobody : respond), secrets: [] };
  }
  if (mode === 'replay') {
    const cassette = await cassetteOf(project);
    return { respond: (admission) => replayRespond(cassette, admission), secrets: [] };
  }
  const accounts = modelAccounts(environment, project, trials);
  const { images } = project.experiment;
  const connection = await providerConnection(environment, images, HOST_CERTIFICATES.caDir);
  const responders = new Map(
    [...accounts].map(([name, account]) => [name, stack.use(liveResponder(account, connection)).respond]),
  );
  const secrets = [...accounts.values()].map(({ key }) => key);
  const live = ({ provider }: Admission) => responders.get(provider) ?? nobody;
  if (mode === 'live') return { secrets, respond: live };
  const recording = { dir: cassetteDir(project), redactor: makeRedactor(secrets) };
  return {
    secrets,
    respond: (admission) => recordRespond({ ...recording, admission, respond: live(admission) }),
  };
}

/** Prices as of now: a budget holds for what is asked now. */
function priceFor({ providers }: ModelSettings): NonNullable<GatewayOptions['price']> {
  return (provider, model, usage) =>
    modelPrice(usage, { protocol: accountProtocol(provider, providers), model });
}

/** The answer to a program that was given no model: its connection breaks. */
const nobody: Respond = () => Promise.reject(new Error('no model belongs to this trial'));

/** Host folder of recorded exchanges; loading has seen to it that modes with a cassette name one. */
function cassetteDir({ experimentPath, experiment }: Project): string {
  const { cassette } = experiment.models;
  if (cassette === undefined) throw new Error('an experiment without a cassette was to use one');
  return resolve(dirname(experimentPath), cassette);
}

/** The recorded exchanges to replay. Throws InputError where there are none that can be read. */
async function cassetteOf(project: Project): Promise<Cassette> {
  const dir = cassetteDir(project);
  const unusable = (why: string, cause?: unknown) => {
    const where = { file: project.experimentPath };
    const repair = 'correct models.cassette, or record it first: models: { mode: record, cassette: ... }';
    const message = `the cassette ${dir} cannot be replayed: ${why}`;
    return new InputError([{ severity: 'error', message, where, repair }], { cause });
  };
  try {
    const cassette = await openCassette(dir);
    if (cassette.exchanges.length > 0) return cassette;
  } catch (error) {
    throw unusable(error instanceof Error ? error.message : String(error), error);
  }
  throw unusable('there is no exchange in it');
}
