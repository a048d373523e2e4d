import { canonicalJson } from '../../base/canonical-json.ts';
import { reachEngine } from '../compose.ts';
import { bundleFindings, canaryFinding, diskFinding, engineFindings, type Finding } from '../diagnosis.ts';
import { type Environment, say } from '../environment.ts';
import { EXIT } from '../exit-code.ts';
import { gatewayFinding } from '../gateway-finding.ts';

const MARKS = { ok: 'ok  ', warning: 'warn', fault: 'FAIL' } as const;

/** `skillpair doctor`: every fault named with a repair; exit 3 when there is one. */
export async function doctorCommand(
  environment: Environment,
  _arguments: readonly string[],
  flags: { json: boolean },
): Promise<number> {
  const findings: Finding[] = [];
  const found = (finding: Finding) => {
    findings.push(finding);
    if (!flags.json) printFinding(environment, finding);
  };
  await examine(environment, found);
  if (flags.json) say(environment.stdout, canonicalJson({ schemaVersion: 1, findings }));
  return findings.some(({ state }) => state === 'fault') ? EXIT.environment : EXIT.ok;
}

async function examine(environment: Environment, found: (finding: Finding) => void): Promise<void> {
  const reached = await reachEngine(environment).catch((error: unknown) => error as Error);
  if (reached instanceof Error) {
    const repair =
      'start Docker (or set DOCKER_HOST); `npm run demo` installs and starts it on Debian and Ubuntu as root';
    found({ what: 'engine', state: 'fault', detail: reached.message, repair });
    return;
  }
  const { engine, host } = reached;
  for (const finding of await engineFindings(engine, host)) found(finding);
  found(await diskFinding(host));
  for (const finding of await bundleFindings(environment, engine)) found(finding);
  found(await gatewayFinding(environment, engine));
  found(await canaryFinding(environment));
}

function printFinding({ stdout }: Environment, { what, state, detail, repair }: Finding): void {
  say(stdout, `${MARKS[state]} ${what}: ${detail}`);
  if (repair !== undefined && state !== 'ok') say(stdout, `       fix: ${repair}`);
}
