import type { ImageInfo } from '../engine/engine.ts';

/** An image that a Dockerfile starts from or copies from, found on the engine. */
export interface ResolvedBase {
  /** As the Dockerfile names it. */
  readonly name: string;
  /** What is used: the image itself, or the one derived from it that trusts this machine's certificates. */
  readonly info: ImageInfo;
  /** The image before certificates were added: what a run's lock keeps. */
  readonly original: string;
  readonly substituted: boolean;
}

/** A name in FROM or `--from` and the platform it is wanted for; absent: the experiment's, else the engine's. */
export interface BaseRequest {
  readonly name: string;
  readonly platform: string | undefined;
  /** Only copied from, never built upon: needs no certificates. */
  readonly copiedFrom: boolean;
}

/** Finds bases. `make` pulls and builds what is absent, or throws; `look` only looks, and gives undefined instead. */
export type ResolveBase<Found = ResolvedBase> = (request: BaseRequest, signal: AbortSignal) => Promise<Found>;
