import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Respond } from '../../../../src/gateway/exchange.ts';
import type { Admission, Gateway, TrialAccess } from '../../../../src/gateway/gateway.ts';
import { liveResponder } from '../../../../src/gateway/live/live-respond.ts';
import type { ProviderConnection } from '../../../../src/gateway/live/provider-agent.ts';
import { type GatewayOptions, startGateway } from '../../../../src/gateway/start-gateway.ts';
import type { ModelProtocol } from '../../../../src/model/model-protocol.ts';
import { ModelSettings } from '../../../../src/model/model-settings.ts';
import { ModelRequestRecord } from '../../../../src/model/model-use.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

/** The real key of the rig's accounts: no harness and no file may ever see it. */
export const REAL_KEY = 'sk-real-0123456789abcdefghij';

/** A gateway on this machine, and attempts at it. */
export interface GatewayRig extends AsyncDisposable {
  readonly gateway: Gateway;
  readonly url: string;
  /** Admits an attempt of a trial of that name; what is not given is plain. */
  admit(trial?: string, changes?: Partial<Admission>): TrialAccess;
  /** Ends an attempt and reads its lines. */
  records(access: TrialAccess): Promise<readonly ModelRequestRecord[]>;
  read(access: TrialAccess, file: string): Promise<string>;
}

/** What a rig is made of. */
export interface RigOptions {
  readonly settings?: unknown;
  readonly respond?: Respond;
  /** A provider to ask in mode `live`. */
  readonly providerUrl?: string;
  readonly protocol?: ModelProtocol;
  readonly connection?: ProviderConnection;
  readonly more?: Partial<GatewayOptions>;
}

/** Starts a gateway: scripted where a responder is given, else live with one account `acme`. */
export async function gatewayRig(options: RigOptions): Promise<GatewayRig> {
  const folder = await temporaryFolder();
  const { protocol = 'anthropic-messages', providerUrl = 'http://127.0.0.1:9', respond } = options;
  const settings = ModelSettings.parse({
    mode: respond === undefined ? 'live' : 'scripted',
    providers: { acme: { protocol, baseUrl: providerUrl, keyEnv: 'ACME_KEY' } },
    ...(options.settings as object),
  });
  const live = liveResponder({ protocol, baseUrl: providerUrl, key: REAL_KEY }, options.connection);
  const gateway = await startGateway({
    hosts: ['127.0.0.1'],
    settings,
    respond: () => respond ?? live.respond,
    secrets: [REAL_KEY],
    ...options.more,
  });
  const dirs = new Map<TrialAccess, string>();
  let count = 0;
  const read = (access: TrialAccess, file: string) =>
    readFile(join(dirs.get(access) as string, file), 'utf8');
  return {
    gateway,
    url: `http://127.0.0.1:${gateway.port}`,
    admit: (trial = 'task/no-skills/1/main', changes = {}) => {
      const evidenceDir = join(folder.path, String(++count));
      const access = gateway.admit({
        trial,
        attempt: 1,
        configuration: 'main',
        provider: 'acme',
        model: 'model-1',
        evidenceDir,
        providerTools: true,
        allowHosts: [],
        ...changes,
      });
      dirs.set(access, changes.evidenceDir ?? evidenceDir);
      return access;
    },
    records: async (access) => {
      await access[Symbol.asyncDispose]();
      const text = await read(access, 'model-requests.jsonl');
      return text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => ModelRequestRecord.parse(JSON.parse(line)));
    },
    read,
    [Symbol.asyncDispose]: async () => {
      await gateway[Symbol.asyncDispose]();
      live[Symbol.dispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** A small request of each protocol. */
export const ASK = {
  'anthropic-messages': {
    path: '/v1/messages?beta=true',
    body: { model: 'model-1', max_tokens: 10, stream: true, messages: [{ role: 'user', content: 'hi' }] },
  },
  'openai-responses': { path: '/v1/responses', body: { model: 'model-1', stream: true, input: 'hi' } },
  'openai-chat': {
    path: '/v1/chat/completions',
    body: { model: 'model-1', stream: true, messages: [{ role: 'user', content: 'hi' }] },
  },
  gemini: {
    path: '/v1beta/models/model-1:streamGenerateContent?alt=sse',
    body: { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
  },
} as const;

/** Whole, small answers, with the counts that a provider would report: 1300 or so in, 50 out. */
export const ANSWER = {
  'anthropic-messages': [
    {
      type: 'message_start',
      message: {
        id: 'msg_1',
        model: 'model-1',
        usage: {
          input_tokens: 1000,
          cache_creation_input_tokens: 20,
          cache_read_input_tokens: 300,
          output_tokens: 1,
        },
      },
    },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'a "usage": of words' } },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 50 } },
    { type: 'message_stop' },
  ],
  'openai-responses': [
    {
      type: 'response.created',
      response: { id: 'resp_1', model: 'model-1', status: 'in_progress', output: [] },
    },
    {
      type: 'response.completed',
      response: {
        id: 'resp_1',
        model: 'model-1',
        status: 'completed',
        output: [],
        usage: {
          input_tokens: 1000,
          input_tokens_details: { cached_tokens: 300 },
          output_tokens: 50,
          output_tokens_details: { reasoning_tokens: 7 },
          total_tokens: 1050,
        },
      },
    },
  ],
  'openai-chat': [
    { model: 'model-1', choices: [{ delta: { content: 'x' }, finish_reason: null }], usage: null },
    { model: 'model-1', choices: [{ delta: {}, finish_reason: 'stop' }], usage: null },
    {
      model: 'model-1',
      choices: [],
      usage: {
        prompt_tokens: 1000,
        completion_tokens: 50,
        prompt_tokens_details: { cached_tokens: 300 },
        completion_tokens_details: { reasoning_tokens: 7 },
      },
    },
    '[DONE]',
  ],
  gemini: [
    {
      candidates: [{ content: { parts: [{ text: 'x' }] } }],
      usageMetadata: { promptTokenCount: 1000, candidatesTokenCount: 1 },
      modelVersion: 'model-1',
    },
    {
      candidates: [{ content: { parts: [{ text: 'y' }] }, finishReason: 'STOP' }],
      usageMetadata: {
        promptTokenCount: 1000,
        candidatesTokenCount: 50,
        thoughtsTokenCount: 7,
        cachedContentTokenCount: 300,
        toolUsePromptTokenCount: 5,
        totalTokenCount: 1062,
      },
      modelVersion: 'model-1',
    },
  ],
} as const;

/** Asks as a harness of the protocol does. */
export function ask(
  url: string,
  token: string,
  {
    protocol = 'anthropic-messages',
    body,
    headers = {},
    signal,
  }: {
    readonly protocol?: ModelProtocol;
    readonly body?: unknown;
    readonly headers?: Readonly<Record<string, string>>;
    readonly signal?: AbortSignal;
  } = {},
): Promise<Response> {
  const { path, body: plain } = ASK[protocol];
  return fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...credentials(protocol, token), ...headers },
    body: JSON.stringify(body ?? plain),
    ...(signal && { signal }),
  });
}

function credentials(protocol: ModelProtocol, token: string): Record<string, string> {
  if (protocol === 'anthropic-messages') return { 'x-api-key': token, 'anthropic-version': '2023-06-01' };
  return protocol === 'gemini' ? { 'x-goog-api-key': token } : { authorization: `Bearer ${token}` };
}
