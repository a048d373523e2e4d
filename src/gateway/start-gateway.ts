import type { IncomingMessage } from 'node:http';
import type { Random } from '../base/random.ts';
import type { ModelSettings } from '../model/model-settings.ts';
import type { TokenUsage } from '../model/model-use.ts';
import { Accounts } from './account/accounts.ts';
import { Budgets } from './budgets.ts';
import { type Clock, systemClock } from './clock.ts';
import type { Lookup } from './egress/choose-address.ts';
import { EgressProxy } from './egress/egress-proxy.ts';
import type { Respond } from './exchange.ts';
import { FrontDoor } from './front-door.ts';
import type { Admission, Gateway, TrialAccess } from './gateway.ts';
import { Knocks } from './knocks.ts';
import { Listeners } from './listeners.ts';
import { makeRedactor } from './redact/redactor.ts';
import { makeToken } from './tokens.ts';
import { TrialSession } from './trial-session.ts';

/** What a gateway is started with. */
export interface GatewayOptions {
  /** Addresses to listen on, at least one; more may follow when networks are made. All have one port. */
  readonly hosts: readonly string[];
  readonly settings: ModelSettings;
  /** Where an attempt's answers come from. Called once for each attempt. */
  readonly respond: (admission: Admission) => Respond;
  /** Values that may stand in no file: the keys of all accounts. */
  readonly secrets: readonly string[];
  /** US dollars for a request's tokens; undefined where there is no known price. */
  readonly price?: (provider: string, model: string, usage: TokenUsage) => number | undefined;
  readonly clock?: Clock;
  /** Spreads pauses. */
  readonly random?: Random;
  /** How names of allowed hosts are resolved; absent: by the system. */
  readonly lookup?: Lookup;
  /** Addresses that no trial may reach, being this host's; absent: those of all its interfaces. */
  readonly ownAddresses?: () => readonly string[];
}

/** Keys under this many bytes, such as a local server's "no-key-needed", may be ordinary text in a model's answer. */
const ANSWER_SECRET_BYTES = 16;

/** Starts the gateway. Rejects with the system's error when it cannot listen. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { settings, clock = systemClock, random = Math.random } = options;
  const sessions = new Map<string, TrialSession>();
  const accounts = new Accounts(settings, { clock, random });
  const budgets = new Budgets(settings);
  const door = new FrontDoor({ sessions, accounts: (provider) => accounts.of(provider), clock, settings });
  const proxy = new EgressProxy({ ...options, sessions, clock });
  const knocks = new Knocks();
  const places = new Set<string>();
  const listeners = new Listeners({
    request: (request, response) => {
      const own = pathHere(request, { port: listeners.port, places });
      if (own === undefined) proxy.forward(request, response);
      else if (!knocks.answer(own, request, response))
        door.enter(Object.assign(request, { url: own }), response);
    },
    connect: (request, socket, head) => proxy.connect(request, socket, head),
  });
  await listeners.start(options.hosts);

  const admit = (admission: Admission): TrialAccess => {
    const token = makeToken();
    const secrets = [...options.secrets, token];
    const session = new TrialSession({
      admission,
      token,
      mode: settings.mode,
      servedModelDiffers: settings.servedModelDiffers,
      stalledAfterMs: 1000 * settings.stalledAfterSeconds,
      respond: options.respond(admission),
      redactor: makeRedactor(secrets),
      answerRedactor: makeRedactor(secrets, ANSWER_SECRET_BYTES),
      budgets: budgets.of(admission),
      price: ({ model, servedModel, usage }) => {
        const name = servedModel ?? model;
        return name === undefined || usage === undefined
          ? undefined
          : options.price?.(admission.provider, name, usage);
      },
      onEnd: () => sessions.delete(token),
    });
    sessions.set(token, session);
    return session;
  };
  return {
    get port() {
      return listeners.port;
    },
    admit,
    answerTo: (place) => void places.add(place),
    expectKnock: () => knocks.expect(),
    refused: (provider) => {
      const detail = accounts.of(provider)?.refusal;
      return detail === undefined ? undefined : { reason: 'provider-auth', detail };
    },
    listen: (address) => listeners.listen(address),
    [Symbol.asyncDispose]: async () => {
      await Promise.allSettled([...sessions.values()].map((session) => session[Symbol.asyncDispose]()));
      await listeners[Symbol.asyncDispose]();
    },
  };
}

/**
 * The path of a request that is for the gateway itself, undefined for one that is to go through it. A client that takes the gateway for
 * its proxy may send it there what is meant for it. Behind a relay, the name that clients have for the gateway is none of its own addresses.
 */
function pathHere(
  { url = '/', socket }: IncomingMessage,
  here: { readonly port: number; readonly places: ReadonlySet<string> },
): string | undefined {
  if (url.startsWith('/')) return url;
  const whole = URL.parse(url);
  if (whole === null) return undefined;
  const port = Number(whole.port || 80);
  const isOwn = whole.hostname === socket.localAddress && port === here.port;
  if (!isOwn && !here.places.has(`${whole.hostname}:${port}`)) return undefined;
  return whole.pathname + whole.search;
}
