import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attemptsOf, makeRig, type Rig } from '../../support/rig.ts';
import { filesWith, formsIn } from '../../support/secret-search.ts';
import { leftOf, removeTaskImages } from './docker-rig.ts';

const random = () => randomBytes(12).toString('base64url');
/** As a provider's key, with characters that JSON, addresses and base64 write in other ways. */
const KEY = `sk-${random()}"/+=\\${random()}`;
/** Keys that are in the runner's environment and that no setting names. */
const STRAY = { ANTHROPIC_API_KEY: `stray-${random()}`, GEMINI_API_KEY: `stray-${random()}` };

/** Tells everything that a program in the agent's container can find, and asks its model in three ways. */
const NOSY = `
import glob, os, subprocess, urllib.request, urllib.error
for pattern in ("/proc/*/environ", "/proc/*/cmdline", "/proc/*/mounts"):
    for path in glob.glob(pattern):
        try:
            print(path, open(path, "rb").read().replace(b"\\0", b"\\n").decode("latin1"))
        except OSError:
            pass
for name in ("one", "stream", "fail"):
    body = b'{"model": "any", "messages": [{"role": "user", "content": "' + name.encode() + b'"}]'
    body += b', "stream": true}' if name == "stream" else b'}'
    headers = {"authorization": "Bearer " + os.environ["TOKEN"], "content-type": "application/json"}
    request = urllib.request.Request(os.environ["GATEWAY"] + "/v1/chat/completions", body, headers)
    try:
        answer = urllib.request.urlopen(request, timeout=20)
    except urllib.error.HTTPError as error:
        answer = error
    print(name, answer.status, answer.headers, answer.read().decode())
`;

const HARNESS = `schemaVersion: 1
id: nosy
version: 1.0.0
title: Tells all that it finds
command: [python3, -c, ${JSON.stringify(NOSY)}]
env: { GATEWAY: "{gateway}", TOKEN: "{token}" }
discovery: { home: [.agents/skills], project: [], system: [] }
bundle: false
trajectory: none
protocol: openai-chat
`;

/** A provider that says the key that it was given back, in every way that it can. */
function answer(request: IncomingMessage, response: ServerResponse): void {
  const key = request.headers.authorization?.slice('Bearer '.length) ?? '';
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const content = [key, base64(key), base64(`.${key}`), base64(`..${key}`), encodeURIComponent(key)].join(
    ' ',
  );
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const said = Buffer.concat(chunks).toString();
    const model = 'any';
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    if (said.includes('"fail"')) {
      response.writeHead(400, { 'content-type': 'application/json', 'x-key': encodeURIComponent(key) });
      response.end(
        JSON.stringify({ error: { message: `not with ${content}`, type: 'invalid_request_error' } }),
      );
    } else if (said.includes('"stream"')) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const event = JSON.stringify({ id: '1', model, usage, choices: [{ index: 0, delta: { content } }] });
      for (const byte of `data: ${event}\n\ndata: [DONE]\n\n`.match(/.{1,7}/gs) ?? []) response.write(byte);
      response.end();
    } else {
      response.writeHead(200, { 'content-type': 'application/json', 'x-key': encodeURIComponent(key) });
      const message = { role: 'assistant', content };
      response.end(
        JSON.stringify({ id: '1', model, usage, choices: [{ index: 0, message, finish_reason: 'stop' }] }),
      );
    }
  });
}

describe('keys, with a provider that tells them and an agent that looks for them', () => {
  let rig: Rig;
  let provider: Server;
  let keysSeen = 0;
  const run = `secrets-${process.pid}`;
  const inspected: string[] = [];
  let said = '';

  beforeAll(async () => {
    rig = await makeRig();
    await rig.addSkill('alpha');
    await rig.addTask('rt-secrets');
    await rig.write({ 'harnesses/nosy/harness.yaml': HARNESS });
    provider = createServer((request, response) => {
      if (request.headers.authorization === `Bearer ${KEY}`) keysSeen += 1;
      answer(request, response);
    });
    provider.listen(0, '127.0.0.1');
    await once(provider, 'listening');
    const { port } = provider.address() as AddressInfo;
    const experiment = await rig.addExperiment(
      'secrets',
      `tasks: { include: [rt-secrets] }
configurations: [{ harness: nosy, model: any, provider: here }]
models:
  mode: live
  providers: { here: { protocol: openai-chat, baseUrl: "http://127.0.0.1:${port}/v1", keyEnv: OUR_KEY } }
attempts: { max: 1 }
concurrency: 1
`,
    );
    const running = rig.start(['run', experiment, '--run-id', run], { OUR_KEY: KEY, ...STRAY });
    const ended = running.done.then(() => true);
    const pid = running.process.pid;
    do {
      inspected.push(await inspectAll(run));
      if (pid !== undefined) inspected.push(await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''));
    } while (!(await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 100, false))])));
    const { stdout, stderr } = await running.done;
    said = stdout + stderr;
  }, 240_000);
  afterAll(async () => {
    provider.close();
    await removeTaskImages('rt-secrets');
    await rig[Symbol.asyncDispose]();
  });

  it('reach their provider with every request', () => {
    expect(keysSeen).toBe(6);
  });

  it('are in nothing that the agent could find or was answered, in no file and in no word of the run', async () => {
    const attempts = attemptsOf(await rig.record(run));
    expect(attempts).toHaveLength(2);
    for (const { trial, agent } of attempts) {
      const log = await readFile(
        join(rig.dir, 'runs', run, 'trials', trial.id, '1/agent/stdout.log'),
        'utf8',
      );
      expect(agent?.ending, log).toBe('completed');
      expect(log).toMatch(/^one 200 .*\nstream 200 .*\nfail 400 /ms);
      expect(log).toContain('[redacted]');
    }
    for (const secret of [KEY, ...Object.values(STRAY)]) {
      const { found, files } = await filesWith(join(rig.dir, 'runs'), secret);
      expect(found).toEqual([]);
      expect(files).toBeGreaterThan(15);
      expect(formsIn(said, secret)).toEqual([]);
    }
  });

  it('are in no container, image, network or command line while the run goes on, and nothing is left', async () => {
    expect(inspected.filter((text) => text.includes('"HostConfig"')).length).toBeGreaterThan(0);
    for (const secret of [KEY, ...Object.values(STRAY)])
      expect(inspected.flatMap((text) => formsIn(text, secret))).toEqual([]);
    expect(await leftOf(run)).toEqual([]);
  });
});

/** What the engine tells of all that belongs to a run, with the history of the images. */
async function inspectAll(run: string): Promise<string> {
  const filter = ['--filter', `label=skillpair.run=${run}`, '-q'];
  const lists = await Promise.all([
    execa('docker', ['ps', '-a', ...filter]),
    execa('docker', ['images', ...filter]),
    execa('docker', ['network', 'ls', ...filter]),
  ]);
  const ids = lists.flatMap(({ stdout }) => stdout.split('\n')).filter((id) => id !== '');
  if (ids.length === 0) return '';
  const { stdout } = await execa('docker', ['inspect', ...ids], { reject: false });
  return stdout;
}
