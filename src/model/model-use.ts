import { z } from 'zod';

/** Token counts as a provider reports them, summed; a count that no answer carried is absent, never 0. */
export const TokenUsage = z.strictObject({
  /** Everything read, cached tokens included. */
  input: z.int().nonnegative().optional(),
  /** The part of `input` that came from a cache. */
  cachedInput: z.int().nonnegative().optional(),
  /** The part of `input` that was written to a cache. */
  cacheWrite: z.int().nonnegative().optional(),
  /** Everything written, reasoning included. */
  output: z.int().nonnegative().optional(),
  /** The part of `output` that was reasoning. */
  reasoning: z.int().nonnegative().optional(),
});
export type TokenUsage = z.infer<typeof TokenUsage>;

/** One request to a model, a line of `agent/model-requests.jsonl`. Holds no key and no prompt. */
export const ModelRequestRecord = z.strictObject({
  at: z.iso.datetime(),
  /** 1, 2, ... in the order in which the attempt's requests came in. */
  number: z.int().positive(),
  protocol: z.string(),
  kind: z.enum(['generate', 'count-tokens', 'list-models', 'other']),
  /** As the harness asked for it. */
  model: z.string().optional(),
  /** As the answer names it. */
  servedModel: z.string().optional(),
  stream: z.boolean(),
  /** HTTP status that the harness got; absent when it left before one came. */
  status: z.int().optional(),
  /** How often the gateway itself asked again before this answer. */
  retries: z.int().nonnegative(),
  /** Waited for the provider's limit or a budget's turn, in ms. */
  waitedMs: z.number().nonnegative(),
  /** From the provider's being asked to its first byte, in ms. */
  firstByteMs: z.number().nonnegative().optional(),
  durationMs: z.number().nonnegative(),
  requestBytes: z.int().nonnegative(),
  responseBytes: z.int().nonnegative(),
  usage: TokenUsage.optional(),
  /** The provider's own usage object, untouched. */
  rawUsage: z.unknown().optional(),
  /** Provider-side tools that were taken out of the request, by their type or name. */
  removedTools: z.array(z.string()).optional(),
  /** How long the provider had said nothing when the harness or the trial's end ended the request, in ms. */
  silentMs: z.number().nonnegative().optional(),
  /** Why the exchange is not whole: the provider's error, a cut stream, the trial's end. */
  fault: z.string().optional(),
});
export type ModelRequestRecord = z.infer<typeof ModelRequestRecord>;

/** What one model was used for in an attempt. */
export const UseOfModel = z.strictObject({
  /** As its answers name it, else as it was asked for; absent where neither was said. */
  model: z.string().optional(),
  usage: TokenUsage,
  /** Requests of which the provider may have counted more than was seen: cut answers, and answers without counts. */
  uncounted: z.int().nonnegative(),
});
export type UseOfModel = z.infer<typeof UseOfModel>;

/** What an attempt's model requests came to, as the gateway counted them. */
export const ModelUse = z.strictObject({
  mode: z.enum(['live', 'record', 'replay', 'scripted']),
  provider: z.string(),
  requests: z.int().nonnegative(),
  /** Answers with a status of 400 and above, or none. */
  failedRequests: z.int().nonnegative(),
  retries: z.int().nonnegative(),
  waitedMs: z.number().nonnegative(),
  askedModels: z.array(z.string()),
  servedModels: z.array(z.string()),
  usage: TokenUsage,
  /** `usage` by model: they differ in price. */
  byModel: z.array(UseOfModel).optional(),
  /** Provider-side tools taken out of requests, each named once. */
  removedTools: z.array(z.string()),
});
export type ModelUse = z.infer<typeof ModelUse>;
