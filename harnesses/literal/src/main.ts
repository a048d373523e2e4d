import { readFileSync, writeSync } from 'node:fs';
import { argv, cwd, env, exit } from 'node:process';
import { runAgent, VERSION } from './agent.ts';

const OK = 0;
const FAILED = 1;
const USAGE = 2;

exit(await main(argv.slice(2)));

async function main([path, ...more]: readonly string[]): Promise<number> {
  if (path === '--version') return say(1, VERSION, OK);
  if (path === undefined || more.length > 0)
    return say(2, 'usage: literal <instruction file> | --version', USAGE);
  // biome-ignore lint/style/noProcessEnv: this is the program's entry, where its environment comes in.
  const limitMs = Number(env.LITERAL_TIMEOUT_MS ?? 0);
  const ok = await runAgent({
    instructionText: readFileSync(path, 'utf8'),
    workingDir: cwd(),
    env,
    signal: limitMs > 0 ? AbortSignal.timeout(limitMs) : new AbortController().signal,
    emit: (event) => say(1, JSON.stringify(event), OK),
  });
  return ok ? OK : FAILED;
}

/** Synchronous, so that whatever is said is out before the next act. */
function say(descriptor: number, line: string, code: number): number {
  writeSync(descriptor, `${line}\n`);
  return code;
}
