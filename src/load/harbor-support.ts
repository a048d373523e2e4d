import type { Problem } from '../model/problem.ts';
import { HarborFile } from './harbor-file.ts';
import { knownKeys } from './known-keys.ts';
import type { LocatedFile } from './located-file.ts';
import { unknownKey } from './schema-problems.ts';

type Said = readonly [path: readonly string[], message: string, repair: string];

/** What a task.toml asks for that is not done here (errors), and what is left out without harm (warnings, notes). */
export function checkHarborSupport(file: LocatedFile<HarborFile>): Problem[] {
  const problem =
    (severity: Problem['severity']) =>
    ([path, message, repair]: Said): Problem => ({
      severity,
      message: `${path.join('.')} ${message}`,
      where: file.locate(path, 'key'),
      repair,
    });
  return [
    ...unsupported(file.value).map(problem('error')),
    ...leftOut(file.value).map(problem('warning')),
    ...remarks(file.value).map(problem('note')),
    ...unknownKeys(file),
  ];
}

const LEAVE_OUT = 'leave this task out of the experiment with tasks.exclude';

function unsupported(task: HarborFile): Said[] {
  const { environment, verifier } = task;
  const found: Said[] = [];
  const refuse = (when: boolean, path: readonly string[], why: string) => {
    if (when) found.push([path, `is not supported: ${why}`, LEAVE_OUT]);
  };
  refuse(environment.gpus > 0, ['environment', 'gpus'], 'containers get no GPU');
  refuse((environment.gpu_types ?? []).length > 0, ['environment', 'gpu_types'], 'containers get no GPU');
  refuse(environment.mcp_servers.length > 0, ['environment', 'mcp_servers'], 'no MCP server is started');
  refuse(environment.healthcheck !== undefined, ['environment', 'healthcheck'], 'nothing waits for it');
  refuse((environment.os ?? 'linux') !== 'linux', ['environment', 'os'], 'only Linux containers are run');
  refuse(environment.workdir !== undefined, ['environment', 'workdir'], "the image's own WORKDIR is used");
  refuse(
    environment.skills_dir !== undefined,
    ['environment', 'skills_dir'],
    'Skills come from environment/skills',
  );
  refuse(task.steps.length > 0, ['steps'], 'a task has one instruction');
  refuse(
    task.multi_step_reward_strategy !== undefined,
    ['multi_step_reward_strategy'],
    'a task has one step',
  );
  const mode = verifier.environment_mode ?? 'shared';
  refuse(mode !== 'shared', ['verifier', 'environment_mode'], 'the verifier works on what the agent left');
  refuse(!isRoot(verifier.user), ['verifier', 'user'], "the verifier runs as the image's own user");
  refuseNetworks(task, refuse);
  return found;
}

/** Hosts are named to agents alone, and only with the mode that makes them count. */
function refuseNetworks(
  { environment, agent, verifier }: HarborFile,
  refuse: (asked: boolean, path: readonly string[], why: string) => void,
): void {
  const table = verifier.network_mode === undefined ? 'environment' : 'verifier';
  refuse(
    (verifier.network_mode ?? environment.network_mode) === 'allowlist',
    [table, 'network_mode'],
    "a verifier's network is all or nothing: give the verifier a network_mode of its own",
  );
  const hasHosts = ({ allowed_hosts: hosts = [] }: { allowed_hosts?: string[] | undefined }) =>
    hosts.length > 0;
  refuse(hasHosts(verifier), ['verifier', 'allowed_hosts'], "a verifier's network is all or nothing");
  if ((agent.network_mode ?? environment.network_mode) === 'allowlist') return;
  const why = 'hosts count with network_mode = "allowlist" only';
  refuse(hasHosts(environment), ['environment', 'allowed_hosts'], why);
  refuse(hasHosts(agent), ['agent', 'allowed_hosts'], why);
}

function isRoot(user: string | number | undefined): boolean {
  return user === undefined || user === 'root' || user === 0 || user === '0';
}

function leftOut(task: HarborFile): Said[] {
  const { environment } = task;
  const found: Said[] = [];
  if (environment.image !== undefined) {
    const repair = 'remove it: the image is built from environment/Dockerfile';
    found.push([['environment', 'image'], 'is left out', repair]);
  }
  if (task.artifacts.length > 0)
    found.push([['artifacts'], 'are not collected', 'read them from the verifier folder']);
  return found;
}

function remarks(task: HarborFile): Said[] {
  const found: Said[] = [];
  const built = 'nothing need be done: the image is built from environment/Dockerfile';
  if (task.environment.docker_image !== undefined)
    found.push([['environment', 'docker_image'], 'is not pulled', built]);
  const words = 'nothing need be done: the verifier writes the reward';
  if (task.reward !== undefined) found.push([['reward'], 'is for readers only', words]);
  return found;
}

function unknownKeys(file: LocatedFile<HarborFile>): Problem[] {
  const source = { schema: HarborFile, locate: file.locate, severity: 'warning' as const };
  const tables = ['agent', 'verifier', 'solution', 'environment'] as const;
  const of = (table: object, path: readonly string[]) =>
    Object.keys(table)
      .filter((key) => !knownKeys(HarborFile, path).includes(key))
      .map((key) => unknownKey(key, path, source));
  return [...of(file.value, []), ...tables.flatMap((table) => of(file.value[table], [table]))];
}
