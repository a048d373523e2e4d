import { z } from 'zod';
import { ModelProtocol } from './model-protocol.ts';

/** Where the answers to model requests come from. */
export const ModelMode = z.enum([
  /** A provider, with the real key. */
  'live',
  /** A provider, and every exchange is kept in the cassette folder. */
  'record',
  /** A recorded run's exchanges; no provider is asked. */
  'replay',
  /** A script instead of a model: no provider, no key. */
  'scripted',
]);
export type ModelMode = z.infer<typeof ModelMode>;

/** One account at one provider. Its rate limit is shared by all trials that use it. */
export const ProviderSettings = z.strictObject({
  protocol: ModelProtocol,
  /** Without the protocol's own path (`/v1/...`); absent: the protocol's public endpoint. */
  baseUrl: z.url({ protocol: /^https?$/ }).optional(),
  /** Name of the host's environment variable that holds the key; the key itself never stands in a file. */
  keyEnv: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/),
  /** Most requests that are open at once; absent: no limit of ours. */
  maxConcurrent: z.int().min(1).optional(),
  /** Most requests that are begun in a minute; absent: no limit of ours, only what 429 answers teach. */
  requestsPerMinute: z.number().positive().optional(),
});
export type ProviderSettings = z.infer<typeof ProviderSettings>;

/** What may be spent. A limit that is hit ends trials as unscored with that reason, in both arms alike. */
export const Budget = z.strictObject({
  requests: z.int().positive().optional(),
  /** Input and output tokens together, as the provider counts them. */
  tokens: z.int().positive().optional(),
  /** US dollars by the dated price table; a model without a known price cannot be held to it, which is a problem at load. */
  usd: z.number().positive().optional(),
});
export type Budget = z.infer<typeof Budget>;

/** `models:` of an experiment: how harnesses that need a model get one. */
export const ModelSettings = z.strictObject({
  mode: ModelMode.default('live'),
  /** Folder of recorded exchanges, relative to the experiment file; for `record` and `replay`. */
  cassette: z.string().optional(),
  /** Script file, relative to the experiment file; for `scripted`. */
  script: z.string().optional(),
  /** Accounts by name. Each protocol has a public one of its own name without being written here. */
  providers: z.record(z.string().regex(/^[a-z0-9][a-z0-9-]*$/), ProviderSettings).default({}),
  budgets: z
    .strictObject({
      trial: Budget.prefault({}),
      configuration: Budget.prefault({}),
      run: Budget.prefault({}),
    })
    .prefault({}),
  /** A served model other than the one asked for: `record` notes it, `void` makes the trial unscored. */
  servedModelDiffers: z.enum(['record', 'void']).default('record'),
  /** A provider that says nothing for so long, until harness or time limit end the request, has failed: it is not the agent's fault. */
  stalledAfterSeconds: z.number().positive().default(300),
});
export type ModelSettings = z.infer<typeof ModelSettings>;
