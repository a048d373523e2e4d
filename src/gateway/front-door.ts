import type { IncomingMessage, ServerResponse } from 'node:http';
import { accountProtocol } from '../model/account-protocol.ts';
import type { ModelProtocol } from '../model/model-protocol.ts';
import type { ModelSettings } from '../model/model-settings.ts';
import type { Account } from './account/account.ts';
import type { Clock } from './clock.ts';
import { modelRequest } from './model-request.ts';
import { type ErrorKind, protocolError } from './protocol-error.ts';
import { MAX_REQUEST_BYTES, readBody } from './read-body.ts';
import { type Recognized, recognize } from './recognize.ts';
import { sendResponse } from './send-response.ts';
import { serveRequest } from './serve-request.ts';
import { presentedTokens } from './tokens.ts';
import type { TrialSession } from './trial-session.ts';

/** What the door needs to know. */
export interface FrontDoorOptions {
  /** By token; those that ended are not in it. */
  readonly sessions: ReadonlyMap<string, TrialSession>;
  readonly accounts: (provider: string) => Account | undefined;
  readonly settings: ModelSettings;
  readonly clock: Clock;
}

/** Takes every request in: finds out whose it is and what it wants, and lets in only what belongs to a living attempt. */
export class FrontDoor {
  readonly #options: FrontDoorOptions;

  constructor(options: FrontDoorOptions) {
    this.#options = options;
  }

  enter(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const startedAt = this.#options.clock.now();
    // What fails here is a client that left in the middle of its request.
    const served = this.#serve(incoming, outgoing, startedAt).catch(() => outgoing.destroy());
    void served;
  }

  async #serve(incoming: IncomingMessage, outgoing: ServerResponse, startedAt: number): Promise<void> {
    const url = new URL(incoming.url ?? '/', 'http://gateway');
    if (isGreeting(incoming.method, url.pathname)) {
      outgoing.writeHead(200).end();
      return;
    }
    const session = this.#sessionOf(incoming, url);
    const listing = this.#listingProtocol(incoming, session);
    const recognized = recognize(incoming.method ?? 'GET', url.pathname, listing);
    const protocol = recognized?.protocol ?? listing;
    if (session === undefined) {
      const message =
        "this key belongs to no trial that is running: use the key of the trial's own environment";
      await refuse(incoming, outgoing, protocolError(protocol, 'auth', message));
      return;
    }
    const served = this.#serveKnown({ incoming, outgoing, startedAt, url, session, recognized, protocol });
    session.track(served.catch(() => undefined));
    await served;
  }

  async #serveKnown(visit: Visit): Promise<void> {
    const { incoming, outgoing, startedAt, url, session, recognized, protocol } = visit;
    const number = session.nextNumber();
    const turnAway = async (kind: ErrorKind, message: string) => {
      const response = protocolError(protocol, kind, message);
      recordTurnedAway({
        ...visit,
        number,
        status: response.status,
        message,
        now: this.#options.clock.now(),
      });
      await refuse(incoming, outgoing, response);
    };
    const asked = `${incoming.method} ${url.pathname}`;
    if (recognized === undefined)
      return turnAway('not-found', `${asked} belongs to no protocol that is known here`);
    const own = accountProtocol(session.admission.provider, this.#options.settings.providers);
    if (own !== undefined && family(own) !== family(protocol)) {
      return turnAway(
        'not-found',
        `${asked} is ${protocol}; account ${session.admission.provider} speaks ${own}`,
      );
    }
    const bytes = await readBody(incoming);
    if (bytes === undefined)
      return turnAway('too-large', `the body has more than ${MAX_REQUEST_BYTES} bytes`);
    const { method = 'GET', headers } = incoming;
    const request = modelRequest({ method, url, headers, bytes }, recognized);
    const account = this.#options.accounts(session.admission.provider);
    await serveRequest(request, {
      session,
      account,
      clock: this.#options.clock,
      outgoing,
      number,
      startedAt,
    });
  }

  /** Two living tokens in one request are a riddle whose answer would charge somebody else: nobody is let in. */
  #sessionOf(incoming: IncomingMessage, url: URL): TrialSession | undefined {
    const found = new Set(
      presentedTokens(incoming.headers, url)
        .map((token) => this.#options.sessions.get(token))
        .filter((session) => session !== undefined),
    );
    return found.size === 1 ? [...found][0] : undefined;
  }

  #listingProtocol(incoming: IncomingMessage, session: TrialSession | undefined): ModelProtocol {
    const { headers } = incoming;
    if (headers['anthropic-version'] !== undefined) return 'anthropic-messages';
    const own = session && accountProtocol(session.admission.provider, this.#options.settings.providers);
    if (own !== undefined) return own;
    return headers['x-goog-api-key'] === undefined ? 'openai-chat' : 'gemini';
  }
}

interface Visit {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly startedAt: number;
  readonly url: URL;
  readonly session: TrialSession;
  readonly recognized: Recognized | undefined;
  readonly protocol: ModelProtocol;
}

function recordTurnedAway(
  visit: Visit & {
    readonly number: number;
    readonly status: number;
    readonly message: string;
    readonly now: number;
  },
): void {
  const { session, startedAt, recognized, protocol, number, status, message, now } = visit;
  session.finished({
    record: {
      at: new Date(startedAt).toISOString(),
      number,
      protocol,
      kind: recognized?.kind ?? 'other',
      stream: false,
      status,
      retries: 0,
      waitedMs: 0,
      durationMs: now - startedAt,
      requestBytes: 0,
      responseBytes: 0,
      fault: message,
    },
  });
}

/** What is not read of the request is thrown away with the connection, so that the answer arrives and the next request is not misread. */
async function refuse(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  response: ReturnType<typeof protocolError>,
): Promise<void> {
  const headers = incoming.complete ? response.headers : { ...response.headers, connection: 'close' };
  await sendResponse({ ...response, headers }, outgoing);
  if (!incoming.complete) incoming.resume();
}

/** Harnesses knock to see whether somebody is there. */
function isGreeting(method: string | undefined, pathname: string): boolean {
  return (method === 'HEAD' || method === 'GET') && (pathname === '/' || pathname === '/api/hello');
}

/** Both protocols of OpenAI take the same key at the same place. */
function family(protocol: ModelProtocol): string {
  return protocol.startsWith('openai-') ? 'openai' : protocol;
}
