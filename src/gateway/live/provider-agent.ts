import http from 'node:http';
import https from 'node:https';
import tls from 'node:tls';

/** How this machine reaches providers. */
export interface ProviderConnection {
  /** Certificates of further authorities, PEM, beside Node's own and those of NODE_EXTRA_CA_CERTS. */
  readonly moreAuthorities?: readonly string[];
  /** HTTP_PROXY, HTTPS_PROXY and NO_PROXY, in either case. */
  readonly proxyEnv?: Readonly<Record<string, string>>;
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/i;

/** The connections to one provider, kept open between requests. A provider on this machine is asked without a proxy. */
export function providerAgent(base: URL, connection: ProviderConnection): http.Agent {
  const { moreAuthorities = [], proxyEnv = {} } = connection;
  const options = {
    keepAlive: true,
    maxSockets: Number.POSITIVE_INFINITY,
    timeout: 0,
    ...(!LOOPBACK.test(base.hostname) && { proxyEnv }),
  };
  if (base.protocol !== 'https:') return new http.Agent(options);
  if (moreAuthorities.length === 0) return new https.Agent(options);
  return new https.Agent({ ...options, ca: [...tls.getCACertificates('default'), ...moreAuthorities] });
}

/** What checking a certificate says where nobody known has issued it. */
const UNKNOWN_ISSUER = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** The same error, or one that names the repair where the provider's certificate comes from an unknown authority. */
export function connectionError(error: Error, base: URL): Error {
  if (!UNKNOWN_ISSUER.has((error as NodeJS.ErrnoException).code ?? '')) return error;
  const repair =
    'where it is a private authority that you trust, put its certificate into /usr/local/share/ca-certificates and write `trustCa: host` ' +
    'in .skillpair/machine.yaml, or name its file in NODE_EXTRA_CA_CERTS';
  return new Error(`nobody that this machine trusts vouches for ${base.host} (${error.message}); ${repair}`, {
    cause: error,
  });
}
