import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { AttemptRecord } from '../../src/model/attempt.ts';
import { type DockerRig, leftOf, makeDockerRig, removeTaskImages } from '../docker/run/docker-rig.ts';
import { attemptsOf } from '../support/rig.ts';
import type { Attack } from './attack.ts';
import { attacks } from './attacks.ts';
import { honestAgents } from './honest-agents.ts';

/** The answer; an agent that is not told cannot know it. */
const ANSWER = 'UNGUESSED-7f3a9c51e0';

/** With a test runner of its own, programs in a volume and first in PATH, an entry point and a health check: all that agents could change. */
const DOCKERFILE = `FROM skillpair/base:1
RUN apt-get update && apt-get install --yes --no-install-recommends python3-pytest && rm -rf /var/lib/apt/lists/*
COPY entry.sh healthy.sh /
RUN chmod 755 /entry.sh /healthy.sh && mkdir -p /opt/tools/bin && printf '#!/bin/sh\\necho tool\\n' > /opt/tools/bin/tool && chmod 755 /opt/tools/bin/tool
ENV PATH=/opt/tools/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
VOLUME /opt/tools/bin
ENTRYPOINT ["/entry.sh"]
HEALTHCHECK --interval=200ms CMD /healthy.sh
`;
const FILES = {
  'environment/entry.sh': '#!/bin/bash\nexec "$@"\n',
  'environment/healthy.sh': '#!/bin/bash\nexit 0\n',
  'tests/expected/answer.txt': `${ANSWER}\n`,
};

const TEST = `import subprocess
from pathlib import Path


def test_answer():
    program = Path("/workspace/out/run.sh")
    if program.exists():
        subprocess.run([str(program)], capture_output=True, timeout=20)
    expected = Path("/tests/expected/answer.txt").read_text()
    assert Path("/workspace/out/answer.txt").read_text(errors="replace") == expected
`;

/** As verifiers of corpora go: profiles, programs by name, a test runner by name, its exit code as reward. */
const SCRIPT = `#!/bin/bash
cd /workspace
ls /workspace >/dev/null; tool
. /etc/profile
for f in .bashrc .profile; do [ -f "$HOME/$f" ] && . "$HOME/$f"; done
ls /workspace >/dev/null; cat /etc/hostname >/dev/null; /usr/bin/env >/dev/null; sh -c true
bash -c 'python3 -c "import json, argparse, tempfile"'
pytest -p no:cacheprovider -rA /tests/test_answer.py
if [ $? -eq 0 ]; then echo 1 > /logs/verifier/reward.txt; else echo 0 > /logs/verifier/reward.txt; fi
`;

/** How all agents of the corpus fared on one kind of task. */
export interface AttackRun extends AsyncDisposable {
  record(agent: string, user: 'root' | 'agent'): AttemptRecord;
  /** What an agent said, from the evidence of its trial. */
  said(record: AttemptRecord): Promise<string>;
  /** Engine objects that were left. */
  readonly left: readonly string[];
}

/** While one attack is looked at alone. */
const ONLY = process.env.SKILLPAIR_ATTACKS?.split(',');

function isChosen({ id }: Pick<Attack, 'id'>): boolean {
  return ONLY === undefined || ONLY.includes(id);
}

/** The attacks that mean something in an isolation, as whom they run. */
export function casesOf(isolation: 'outputs' | 'snapshot'): readonly (readonly [string, 'root' | 'agent'])[] {
  return attacks('/nowhere/secret')
    .filter((attack) => attack.on.includes(isolation) && isChosen(attack))
    .flatMap(({ id, as }) => as.map((user) => [id, user] as const));
}

/** The honest agents, as whom they run. */
export function controls(): readonly (readonly [string, 'root' | 'agent'])[] {
  return honestAgents(ANSWER)
    .filter(isChosen)
    .flatMap(({ id, as }) => as.map((user) => [id, user] as const));
}

/** Holds a record to tell what happened: every code and path that the attack is known by. */
export function expectRecorded({ trial, notices }: AttemptRecord, isolation: 'outputs' | 'snapshot'): void {
  const { recorded } = attacks('/nowhere/secret').find(({ id }) => id === trial.configuration) ?? {};
  const told = notices.flatMap(({ code, paths = [] }) => [code, ...paths]).join('\n');
  for (const mark of recorded?.[isolation] ?? []) expect(told).toContain(mark);
}

/** Runs every attack and every honest agent on one kind of task, as root and as an agent user. */
export async function runAttacks(isolation: 'outputs' | 'snapshot'): Promise<AttackRun> {
  const rig = await makeDockerRig();
  const task = (user: string) => `at-${isolation}-${user}`;
  for (const user of ['root', 'agent'])
    await rig.addTask(task(user), {
      dockerfile: DOCKERFILE,
      files: { ...FILES, 'tests/test_answer.py': TEST },
      ...(isolation === 'snapshot' ? { script: SCRIPT } : {}),
      yaml: yamlOf(isolation, user),
    });
  const secret = join(rig.dir, 'tasks', task('root'), 'tests/expected/answer.txt');
  const all = [...attacks(secret).filter(({ on }) => on.includes(isolation)), ...honestAgents(ANSWER)].filter(
    isChosen,
  );
  const runs: RunRecords[] = [];
  for (const user of ['root', 'agent'] as const) runs.push(await runAs({ rig, user, task: task(user), all }));
  return {
    record: (agent, user) => {
      const found = runs
        .flatMap(({ records }) => records)
        .find(({ trial }) => trial.configuration === agent && trial.task === task(user));
      if (found === undefined) throw new Error(`${agent} as ${user} left no record`);
      return found;
    },
    said: ({ run, trial }) =>
      readFile(join(rig.dir, 'runs', run, 'trials', trial.id, '1', 'agent/stdout.log'), 'utf8'),
    left: runs.flatMap(({ left }) => left),
    [Symbol.asyncDispose]: async () => {
      await rig[Symbol.asyncDispose]();
      await removeTaskImages(task('root'), task('agent'));
    },
  };
}

interface RunRecords {
  readonly records: readonly AttemptRecord[];
  readonly left: readonly string[];
}

async function runAs(of: {
  readonly rig: DockerRig;
  readonly user: 'root' | 'agent';
  readonly task: string;
  readonly all: readonly Pick<Attack, 'id' | 'script' | 'as'>[];
}): Promise<RunRecords> {
  const { rig, user, task } = of;
  const agents = of.all.filter(({ as }) => as.includes(user));
  if (agents.length === 0) return { records: [], left: [] };
  for (const { id, script } of agents) await rig.addHarness(id, script);
  const rows = agents.map(({ id }) => `{ harness: ${id} }`).join(', ');
  const experiment = await rig.addExperiment(
    task,
    `configurations: [${rows}]\ntasks: { include: [${task}] }\nconditions: [no-skills]\nconcurrency: 5\nattempts: { max: 1 }\n`,
  );
  const run = rig.runId();
  const { stdout, stderr } = await rig.run(['run', experiment, '--run-id', run]);
  try {
    return { records: attemptsOf(await rig.record(run)), left: await leftOf(run) };
  } catch (cause) {
    throw new Error(`the run left no record:\n${stdout}${stderr}`, { cause });
  }
}

function yamlOf(isolation: 'outputs' | 'snapshot', user: string): string {
  const verifier =
    isolation === 'outputs'
      ? '{ outputs: [/workspace/out], timeout: 5m }'
      : '{ kind: script, isolation: snapshot, timeout: 5m }';
  return `skills: [alpha]\nenvironment: { memory: 512MiB }\nagent: { user: ${user}, timeout: 5m }\nverifier: ${verifier}\n`;
}
