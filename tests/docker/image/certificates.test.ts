import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packTar } from '../../../src/engine/archive.ts';
import { madeProject, madeTask, writeFiles } from '../../unit/image/made-project.ts';
import { type MadeStore, madeStore, standIn, textOf } from './made-store.ts';

/** Made for this test; its key was thrown away. */
const AUTHORITY = `-----BEGIN CERTIFICATE-----
MIIBmDCCAT+gAwIBAgIUBm+D+188148+84vsDPA/VnFQFNAwCgYIKoZIzj0EAwIw
ITEfMB0GA1UEAwwWTGF0dGljZSB0ZXN0IGF1dGhvcml0eTAgFw0yNjExMjkyMjU5
MTNaGA8yMTI2MTEwNTIyNTkxM1owITEfMB0GA1UEAwwWTGF0dGljZSB0ZXN0IGF1
dGhvcml0eTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABKILVRBxbhcGUFTo5QIP
EWq8AE5zaaRjFzsmRrvB5zU2p1PBfZcOqBC9PP4DJGTs6BLiMaW5TissscHRPcLR
bHKjUzBRMB0GA1UdDgQWBBT37qndTPMpTrlNRodTY32ArBISgzAfBgNVHSMEGDAW
gBT37qndTPMpTrlNRodTY32ArBISgzAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49
BAMCA0cAMEQCICqCcg2Xe6V3yF9l6BfzR/2jnHfxBMDLmxJmqn+fEzJKAiB1umoK
0fDaJKNF9xUGZFSW2wWv6CFbpDwTCigSnNTUPA==
-----END CERTIFICATE-----
`;

/** A line of its middle: base64 that stands nowhere else. */
const AUTHORITY_LINE = AUTHORITY.split('\n')[3] ?? '';
const BUNDLE = '/etc/ssl/certs/ca-certificates.crt';

/** Where the base has no ca-certificates package: what of it matters here, the program that writes the bundle anew. */
const WITH_PACKAGE = `command -v update-ca-certificates && exit 0
mkdir -p /etc/ssl/certs /usr/share/ca-certificates && echo public >/usr/share/ca-certificates/public.crt
echo 'cat /usr/share/ca-certificates/*.crt /usr/local/share/ca-certificates/*.crt >${BUNDLE}' >/usr/sbin/update-ca-certificates
chmod +x /usr/sbin/update-ca-certificates`;

/** A base of this test's own, so that what is derived from it is, too. */
async function buildBase({ engine, signal, base }: MadeStore, tag: string, line: string): Promise<void> {
  const content = Buffer.from(`FROM ${base}\n${line}\n`);
  await engine.build(
    {
      context: () => packTar([{ path: 'Dockerfile', kind: 'file', mode: 0o644, uid: 0, gid: 0, content }]),
      dockerfile: 'Dockerfile',
      tag,
      labels: { 'skillpair.managed': '1', 'skillpair.subject': tag },
      buildArgs: {},
      timeoutMs: 60_000,
    },
    signal,
  );
}

describe('certificates of the host', () => {
  test('are trusted in builds on a base with the ca-certificates package, and last through its installation', async () => {
    const full = 'skillpair-image-test/full:1';
    await using made = await madeStore(['image-ca', full]);
    await buildBase(made, full, `RUN ${JSON.stringify(['sh', '-c', WITH_PACKAGE])}`);
    await writeFiles(join(made.folder, 'ca'), { 'own.crt': AUTHORITY });
    const contextDir = join(made.folder, 'environment');
    await writeFiles(contextDir, {
      Dockerfile: `FROM ubuntu:24.04
RUN cp "$SSL_CERT_FILE" /before.pem && update-ca-certificates --fresh && cp "$PIP_CERT" /after.pem
`,
    });
    const store = made.again({
      project: madeProject({ ...standIn(full), trustCa: 'host' }),
      certificates: { caDir: join(made.folder, 'ca') },
    });
    const { info, index } = await store.taskImage(madeTask('image-ca', contextDir), made.signal);
    expect(info.env).toContain(`NODE_EXTRA_CA_CERTS=${BUNDLE}`);
    expect(index.entries.has('/usr/local/share/ca-certificates/own.crt')).toBe(true);
    for (const path of ['/before.pem', '/after.pem']) {
      const bundle = (await textOf(made, { image: info.id }, path)) ?? '';
      expect(bundle).toContain(AUTHORITY_LINE);
      expect(bundle.length).toBeGreaterThan(AUTHORITY.length);
    }
    expect((await store.baseImages([], made.signal))['ubuntu:24.04']?.image).toBe(
      (await made.engine.image(full, made.signal))?.id,
    );
  });

  test('are put into a bundle of their own on a base without the package', async () => {
    const bare = 'skillpair-image-test/bare:1';
    await using made = await madeStore(['image-bare', bare]);
    await buildBase(made, bare, 'RUN rm -rf /etc/ssl/certs /usr/sbin/update-ca-certificates');
    await writeFiles(join(made.folder, 'ca'), { 'own.crt': AUTHORITY });
    const contextDir = join(made.folder, 'environment');
    await writeFiles(contextDir, { Dockerfile: 'FROM ubuntu:24.04\nRUN cp "$CURL_CA_BUNDLE" /bundle.pem\n' });
    const store = made.again({
      project: madeProject({ ...standIn(bare), trustCa: 'host' }),
      certificates: { caDir: join(made.folder, 'ca') },
    });
    const { info } = await store.taskImage(madeTask('image-bare', contextDir), made.signal);
    expect(await textOf(made, { image: info.id }, '/bundle.pem')).toBe(AUTHORITY);
  });

  test('proxy settings reach the build and stay in no layer', async () => {
    await using made = await madeStore(['image-proxy']);
    const contextDir = join(made.folder, 'environment');
    await writeFiles(contextDir, { Dockerfile: 'FROM ubuntu:24.04\nRUN echo "$HTTPS_PROXY" > /seen.txt\n' });
    const task = madeTask('image-proxy', contextDir);
    const proxied = made.again({ proxyEnv: { HTTPS_PROXY: 'http://proxy.invalid:1' } });
    const first = await proxied.taskImage(task, made.signal);
    expect(await textOf(made, { image: first.id }, '/seen.txt')).toBe('http://proxy.invalid:1\n');
    expect(first.info.env.join()).not.toContain('proxy.invalid');
    expect((await made.store.taskImage(task, made.signal)).id).toBe(first.id);
  });
});
