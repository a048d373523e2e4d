import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** A new token for one attempt: 128 random bits, in the shape of a provider's key so that harnesses take it for one. */
export function makeToken(): string {
  return `skp-${randomBytes(16).toString('hex')}`;
}

/** Every credential that a request carries, in any of the places that the protocols know: header by header, then `?key=`. */
export function presentedTokens(headers: IncomingHttpHeaders, url: URL): readonly string[] {
  const found = [
    single(headers['x-api-key']),
    bearer(headers.authorization),
    single(headers['x-goog-api-key']),
    url.searchParams.get('key') ?? undefined,
  ];
  return [...new Set(found.filter((token) => token !== undefined))];
}

/** The credentials of a `Proxy-Authorization` header: user name and password of Basic, or the Bearer token. */
export function proxyTokens(headers: IncomingHttpHeaders): readonly string[] {
  const header = headers['proxy-authorization'] ?? '';
  const token = bearer(header);
  if (token !== undefined) return [token];
  const [, encoded] = /^basic\s+(\S+)$/i.exec(header) ?? [];
  if (encoded === undefined) return [];
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  const parts = colon === -1 ? [text] : [text.slice(0, colon), text.slice(colon + 1)];
  return parts.map(percentDecoded).filter((part) => part !== '');
}

function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

function bearer(header: string | undefined): string | undefined {
  return /^bearer\s+(\S+)$/i.exec(header ?? '')?.[1];
}

/** Clients that take credentials from a proxy's URL send them as they stand there. */
function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
