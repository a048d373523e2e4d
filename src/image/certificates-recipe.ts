import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { digestBytes } from '../base/digest.ts';
import type { ImageInfo } from '../engine/engine.ts';
import type { ContextEntry } from './context-entries.ts';
import type { ImageRecipe } from './image-recipe.ts';

/** This machine's extra certificates. */
export interface HostCertificates {
  /** Folder of `*.crt` files, PEM. */
  readonly caDir: string;
  /** This machine's whole bundle, PEM: for bases that have none. Absent or unreadable: only the extra ones are put there. */
  readonly bundlePath?: string;
}

const BUNDLE = '/etc/ssl/certs/ca-certificates.crt';
const VARIABLES = [
  'SSL_CERT_FILE',
  'NODE_EXTRA_CA_CERTS',
  'PIP_CERT',
  'REQUESTS_CA_BUNDLE',
  'CURL_CA_BUNDLE',
];
const TIMEOUT_MS = 5 * 60_000;

/**
 * Makes the bundle without a network. The files stay where a later installation of the ca-certificates package looks,
 * since that writes the bundle anew.
 */
const INSTALL = `if command -v update-ca-certificates >/dev/null 2>&1; then update-ca-certificates >/dev/null 2>&1; fi
if [ -d /etc/pki/ca-trust/source/anchors ]; then cp /usr/local/share/ca-certificates/*.crt /etc/pki/ca-trust/source/anchors/; update-ca-trust; fi
mkdir -p /etc/ssl/certs
if [ -s ${BUNDLE} ]; then
  if command -v update-ca-certificates >/dev/null 2>&1; then :; else cat /usr/local/share/ca-certificates/*.crt >>${BUNDLE}; fi
elif [ -s /etc/pki/tls/certs/ca-bundle.crt ]; then ln -sf /etc/pki/tls/certs/ca-bundle.crt ${BUNDLE}
else cp /usr/local/share/skillpair-ca.pem ${BUNDLE}; chmod 644 ${BUNDLE}; fi
rm -f /usr/local/share/skillpair-ca.pem`;

/** The image that is a base plus this machine's certificates; undefined when the machine has no extra ones. */
export async function certificatesRecipe(
  base: ImageInfo,
  { caDir, bundlePath }: HostCertificates,
): Promise<ImageRecipe | undefined> {
  const names = (await readdir(caDir).catch(() => [])).filter((name) => name.endsWith('.crt')).sort();
  if (names.length === 0) return undefined;
  const certificates = await Promise.all(names.map((name) => readFile(join(caDir, name))));
  const host = bundlePath === undefined ? undefined : await readFile(bundlePath).catch(() => undefined);
  const isRoot = base.user === '' || base.user === 'root' || base.user === '0';
  return {
    purpose: 'certificates',
    subject: base.tags[0] ?? base.id,
    entries: [
      { path: 'certificates', kind: 'folder', mode: 0o755, size: 0 },
      ...names.map((name, index) => pem(`certificates/${name}`, certificates[index] ?? new Uint8Array())),
      pem('skillpair-ca.pem', host ?? withNewlines(certificates)),
    ],
    text: [
      `FROM ${base.id}`,
      'USER root',
      'COPY certificates/ /usr/local/share/ca-certificates/',
      'COPY skillpair-ca.pem /usr/local/share/skillpair-ca.pem',
      `RUN ${JSON.stringify(['/bin/sh', '-ec', INSTALL])}`,
      `ENV ${VARIABLES.map((name) => `${name}=${BUNDLE}`).join(' ')}`,
      ...(isRoot ? [] : [`USER ${base.user}`]),
      '',
    ].join('\n'),
    bases: [base.id],
    platform: base.platform,
    timeoutMs: TIMEOUT_MS,
  };
}

/** A certificate without a newline at its end would run into the next one's first line. */
function withNewlines(files: readonly Uint8Array[]): Uint8Array {
  return new TextEncoder().encode(
    files.map((file) => new TextDecoder().decode(file).replace(/\n?$/, '\n')).join(''),
  );
}

function pem(path: string, bytes: Uint8Array): ContextEntry {
  const content = withNewlines([bytes]);
  return {
    path,
    kind: 'file',
    mode: 0o644,
    size: content.byteLength,
    digest: digestBytes(content),
    content,
  };
}
