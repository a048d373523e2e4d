import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A server's key and certificate, and the certificate of the authority that issued it, PEM. */
export interface Issued {
  readonly key: string;
  readonly cert: string;
  readonly authority: string;
}

/** Founds an authority in a folder, where its `authority.crt` stays, and has it vouch for a host name and 127.0.0.1. */
export async function privateAuthority(dir: string, host: string): Promise<Issued> {
  const openssl = (args: string) => run('openssl', args.split(' '), { cwd: dir });
  const made = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2';
  await openssl(`${made} -keyout authority.key -out authority.crt -subj /CN=private-authority`);
  await openssl(
    `req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout server.key -out server.csr -subj /CN=${host}`,
  );
  await writeFile(join(dir, 'names'), `subjectAltName=DNS:${host},IP:127.0.0.1\n`);
  await openssl(
    'x509 -req -in server.csr -CA authority.crt -CAkey authority.key -CAcreateserial -days 2 -extfile names -out server.pem',
  );
  const [key, cert, authority] = await Promise.all(
    ['server.key', 'server.pem', 'authority.crt'].map((name) => readFile(join(dir, name), 'utf8')),
  );
  return { key, cert, authority } as Issued;
}
