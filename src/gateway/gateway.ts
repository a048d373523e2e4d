import type { ModelUse } from '../model/model-use.ts';
import type { UnscoredReason } from '../model/outcome.ts';

/** One attempt that may use the gateway. */
export interface Admission {
  readonly trial: string;
  readonly attempt: number;
  readonly configuration: string;
  /** Account under `models.providers`, or a protocol's name. */
  readonly provider: string;
  /** The model that the configuration names. */
  readonly model: string;
  /** Each request becomes a line of this file; the first `generate` request is kept whole beside it. */
  readonly evidenceDir: string;
  /** False: provider-side tools (web search, fetch, code execution, remote MCP, media by URL) are taken out of requests. */
  readonly providerTools: boolean;
  /** Hosts that the container may reach through the gateway's proxy, exact or `*.suffix`; empty: none. */
  readonly allowHosts: readonly string[];
}

/** A fault that the gateway saw and that ends the attempt as unscored, whatever the harness says. */
export interface GatewayFault {
  readonly reason: UnscoredReason;
  readonly detail: string;
}

/** One attempt's right to use the gateway: from disposal on its token means nothing and its open requests are cut. */
export interface TrialAccess extends AsyncDisposable {
  readonly token: string;
  /** Fires when the attempt must end (budget used up); the reason is in `fault`. */
  readonly exhausted: AbortSignal;
  /** What was seen until now. */
  use(): ModelUse;
  fault(): GatewayFault | undefined;
}

/** Somebody who came through to the gateway and is still connected. */
export interface Knock {
  /** What it said of itself, by name. */
  readonly told: Readonly<Record<string, string>>;
  /** Fires when its connection has ended. */
  readonly gone: AbortSignal;
}

/** A visitor that proves, by a path that nobody else knows, that there is a way from where it is. Disposing expects it no longer. */
export interface ExpectedKnock extends Disposable {
  /** To be asked with GET; what stands in the query is what is told. */
  readonly path: string;
  readonly heard: Promise<Knock>;
}

/** The process-wide gateway between agents and model providers. Disposing closes it. */
export interface Gateway extends AsyncDisposable {
  /** TCP port, the same on every address. */
  readonly port: number;
  /** Listens on one more address of this host; does nothing for one on which it listens already. */
  listen(address: string): Promise<void>;
  admit(admission: Admission): TrialAccess;
  /** From now on a client that names the gateway `host:port` means it, though it listens nowhere under that name. */
  answerTo(place: string): void;
  expectKnock(): ExpectedKnock;
  /** Why nothing can come of asking this account any more (its key was refused); undefined while it may be asked. */
  refused(provider: string): GatewayFault | undefined;
}
