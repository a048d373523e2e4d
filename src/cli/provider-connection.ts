import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProviderConnection } from '../gateway/live/provider-agent.ts';
import type { ImageSettings } from '../model/experiment.ts';
import { proxyVariables } from './compose.ts';
import type { Environment } from './environment.ts';

/** How providers are reached: by the environment's proxy, and trusting the host folder's `*.crt` where the settings say `trustCa: host`. */
export async function providerConnection(
  environment: Pick<Environment, 'env'>,
  { trustCa }: Pick<ImageSettings, 'trustCa'>,
  caDir: string,
): Promise<ProviderConnection> {
  const proxyEnv = proxyVariables(environment.env);
  if (trustCa === 'none') return { proxyEnv };
  const names = (await readdir(caDir).catch(() => [])).filter((name) => name.endsWith('.crt')).sort();
  const moreAuthorities = await Promise.all(names.map((name) => readFile(join(caDir, name), 'utf8')));
  return { proxyEnv, moreAuthorities };
}
