import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { recordRespond } from '../../../../src/gateway/cassette/record-respond.ts';
import { openCassette, replayRespond } from '../../../../src/gateway/cassette/replay-respond.ts';
import type { ModelRequest, ModelResponse, Respond } from '../../../../src/gateway/exchange.ts';
import { makeRedactor } from '../../../../src/gateway/redact/redactor.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const KEY = 'sk-real-0123456789abcdef';
const NEVER = new AbortController().signal;
const TRIAL = { trial: 'task/no-skills/1/main', attempt: 1 };

function request(messages: unknown): ModelRequest {
  const body = { model: 'm', stream: true, messages, metadata: { user_id: Math.random() } };
  const bytes = Buffer.from(JSON.stringify(body));
  const base = {
    protocol: 'anthropic-messages',
    kind: 'generate',
    method: 'POST',
    path: '/v1/messages',
  } as const;
  return { ...base, headers: {}, bytes, body, model: 'm', stream: true };
}

const first = (date: string) => request([{ role: 'user', content: `do it; today is ${date}` }]);
const second = (pid: string) =>
  request([
    { role: 'user', content: 'do it; today is 2026-01-01' },
    { role: 'user', content: [{ type: 'tool_result', content: `process ${pid}` }] },
  ]);

function answering(...chunks: readonly (string | Uint8Array)[]): Respond {
  return async () => ({
    status: 200,
    headers: { 'content-type': 'text/event-stream' },
    body: (async function* () {
      for (const chunk of chunks) yield Buffer.from(chunk);
    })(),
  });
}

async function chunksOf({ body }: ModelResponse): Promise<string[]> {
  const chunks: string[] = [];
  for await (const chunk of body) chunks.push(Buffer.from(chunk).toString('latin1'));
  return chunks;
}

async function record(dir: string, respond: Respond, requests: readonly ModelRequest[]): Promise<string[]> {
  const recorder = recordRespond({ dir, admission: TRIAL, respond, redactor: makeRedactor([KEY]) });
  const all: string[] = [];
  for (const one of requests) all.push(...(await chunksOf(await recorder(one, NEVER))));
  return all;
}

describe('a recorded run', () => {
  it('replays the same bytes without a provider, on another day and with other process ids', async () => {
    await using folder = await temporaryFolder();
    const said = await record(folder.path, answering('data: 1\n\n', Uint8Array.of(0xff, 0x0a)), [
      first('2026-01-01'),
      second('17'),
    ]);
    const replay = replayRespond(await openCassette(folder.path), TRIAL);
    const again = [
      ...(await chunksOf(await replay(first('2027-03-04'), NEVER))),
      ...(await chunksOf(await replay(second('4711'), NEVER))),
    ];
    expect(again.join('')).toBe(said.join(''));
  });

  it('holds no key, wherever the chunks were cut', async () => {
    await using folder = await temporaryFolder();
    await record(folder.path, answering(`key ${KEY.slice(0, 9)}`, `${KEY.slice(9)} and more`), [first(KEY)]);
    const names = await readdir(folder.path);
    const text = await readFile(join(folder.path, names[0] as string), 'utf8');
    const joined = text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => (JSON.parse(line) as { text?: string }).text ?? '')
      .join('');
    expect(joined).toBe('key [redacted] and more');
    expect(text).not.toContain(KEY);
  });

  it('has no answer for what was never asked, and says so', async () => {
    await using folder = await temporaryFolder();
    await record(folder.path, answering('data: 1\n\n'), [first('2026-01-01')]);
    const replay = replayRespond(await openCassette(folder.path), TRIAL);
    const changed = request([{ role: 'user', content: 'do something else' }]);
    await expect(replay(changed, NEVER)).rejects.toThrow(
      /holds no answer to POST \/v1\/messages of task.*record it again/,
    );
  });

  it('breaks off again where the answer broke off', async () => {
    await using folder = await temporaryFolder();
    const broken: Respond = async () => ({
      status: 200,
      headers: {},
      body: (async function* () {
        yield Buffer.from('half');
        throw new Error('reset');
      })(),
    });
    await expect(record(folder.path, broken, [first('2026-01-01')])).rejects.toThrow('reset');
    const replay = replayRespond(await openCassette(folder.path), TRIAL);
    await expect(replay(first('2026-01-02'), NEVER).then(chunksOf)).rejects.toThrow('broke off');
  });
});
