import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { HarnessManifest } from '../../../src/model/harness.ts';

const HOME = '/home/agent';
/** Nothing listens there. */
const NO_GATEWAY = 'http://127.0.0.1:9';

/** A harness's manifest as it is in the repository. */
export async function manifestOf(id: string): Promise<HarnessManifest> {
  const file = new URL(`../../../harnesses/${id}/harness.yaml`, import.meta.url);
  return HarnessManifest.parse(parse(await readFile(file, 'utf8')));
}

/** A shell script that starts the agent as its manifest says, with a gateway that is not there. */
export function agentScript(manifest: HarnessManifest, env: Readonly<Record<string, string>> = {}): string {
  const values: Readonly<Record<string, string>> = {
    instruction: '/instruction.md',
    bundle: `/opt/skillpair/harness/${manifest.id}`,
    model: 'some-model',
    home: HOME,
    workdir: '/workspace',
    gateway: NO_GATEWAY,
    token: 'some-token',
  };
  const filled = (text: string) => text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
  const quoted = (text: string) => `'${filled(text).replaceAll("'", "'\\''")}'`;
  return [
    ...manifest.files.flatMap(({ path, content }) => [
      `mkdir -p "$(dirname ${quoted(path)})"`,
      `printf %s ${quoted(content)} > ${quoted(path)}`,
    ]),
    ...Object.entries({ ...manifest.env, ...env }).map(([name, value]) => `export ${name}=${quoted(value)}`),
    manifest.command.map(quoted).join(' '),
  ].join('\n');
}
