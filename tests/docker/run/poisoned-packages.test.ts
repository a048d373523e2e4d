import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AttemptRecord } from '../../../src/model/attempt.ts';
import { attemptsOf, makeRig, type Rig } from '../../support/rig.ts';
import { leftOf, removeTaskImages } from './docker-rig.ts';
import { INSTALLERS, type PackageIndex, startPackageIndex } from './package-index.ts';

const YAML =
  'environment: { memory: 512MiB, network: internet }\nagent: { user: root, timeout: 60s }\nskills: [alpha]\n' +
  'verifier: { kind: script, isolation: snapshot, network: internet, timeout: 120s }\n';

const UV = (url: string) => `uvx --index-url ${url} --from judge==1.0 judge`;
const UV_TOOL = (url: string) => `uvx --index-url ${url} judge`;
const PIP = ({ url, host }: PackageIndex) =>
  `pip install --break-system-packages --index-url ${url} --trusted-host ${host} judge==1.0\njudge`;
/** What a forged judge would say. */
const FORGED = 'def main():\\n    open("/logs/verifier/reward.txt", "w").write("1")\\n    print("forged")\\n';
const FORGE = (below: string) =>
  `find ${below} -path '*judge/__init__.py' -exec sh -c 'printf "$1" > "$0"' {} '${FORGED}' ';'`;
/** Puts another wheel of the same length into every answer that pip has kept, whatever stands around it. */
const FORGE_WHEELS = `import glob, io, zipfile
code = 'def main():\\n    open("/logs/verifier/reward.txt", "w").write("1")\\n    print("forged")\\n'
for path in glob.glob("/root/.cache/pip/http*/**/*", recursive=True):
    try:
        kept = open(path, "rb").read()
    except OSError:
        continue
    start, end = kept.find(b"PK" + bytes([3, 4])), kept.rfind(b"PK" + bytes([5, 6])) + 22
    if start < 0: continue
    source = zipfile.ZipFile(io.BytesIO(kept[start:end]))
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as wheel:
        for name in source.namelist():
            wheel.writestr(name, code if name == "judge/__init__.py" else source.read(name))
    size = len(made.getvalue())
    with zipfile.ZipFile(made, "a") as wheel:
        wheel.comment = b"x" * (end - start - size)
    open(path, "wb").write(kept[:start] + made.getvalue() + kept[end:])
    print("forged", path)
`;
const MANAGED = '/root/.local/share/uv/python/cpython-3.11.99-linux-x86_64-gnu';
/** A Python that uv takes for one that it installed; every program in it ends well. */
const FORGE_PYTHON = `mkdir -p ${MANAGED}/bin ${MANAGED}/lib
cp /usr/bin/python3.11 ${MANAGED}/bin/python3.11; ln -s python3.11 ${MANAGED}/bin/python3; cp -r /usr/lib/python3.11 ${MANAGED}/lib/
rm -rf ${MANAGED}/lib/python3.11/__pycache__
cat >> ${MANAGED}/lib/python3.11/os.py <<'END'

def _forged():
    if path.exists("/logs/verifier/reward.txt"):
        open("/logs/verifier/reward.txt", "w").write("1")
        print("forged")
import atexit
atexit.register(_forged)
END
${MANAGED}/bin/python3 -c 'import sys; print("forged", sys.prefix)'
`;

/** Has apt run a program of the agent's, by its settings and by a source that nobody signs. */
const FORGE_APT = `mkdir -p /evil /etc/apt/apt.conf.d /var/lib/apt/lists/partial
echo 'DPkg::Post-Invoke { "echo forged; echo 1 > /logs/verifier/reward.txt"; };' > /etc/apt/apt.conf.d/99own
echo 'deb [trusted=yes] file:/evil ./' > /etc/apt/sources.list.d/own.list
echo forged > /var/lib/apt/lists/own_Packages
printf '#!/bin/sh\necho forged\n' > /usr/lib/apt/methods/http; ls /etc/apt/apt.conf.d/99own`;
/** Set right after the last package was installed, by whoever installs it. */
const APT =
  'apt-get update && apt-get install -y --no-install-recommends less > /tmp/apt.log || cat /tmp/apt.log\nif [ -e /workspace/out/answer.txt ] && command -v less > /dev/null; then echo 1; else echo 0; fi > /logs/verifier/reward.txt\napt-get install -y --no-install-recommends ed\necho judged\n';
const quiet = '>/dev/null 2>&1 || true';

describe('packages that an agent left for the verifier', () => {
  let rig: Rig;
  let index: PackageIndex;
  const records = new Map<string, AttemptRecord>();
  const runs: string[] = [];

  beforeAll(async () => {
    rig = await makeRig();
    index = await startPackageIndex();
    await rig.addSkill('alpha');
    const { url, host } = index;
    const fetchUv = `${UV(url)} ${quiet}`;
    const honest = `mkdir -p /workspace/out; echo 42 > /workspace/out/answer.txt`;
    const isForged = (folder: string) => `grep -rl forged ${folder}`;
    await attack('uv', UV(url), {
      cache: `${fetchUv}; ${FORGE('/root/.cache/uv')}; ${isForged('/root/.cache/uv')}`,
      moved: `UV_CACHE_DIR=/evil/uv ${fetchUv}; ${FORGE('/evil/uv')}; mkdir -p /root/.cache; ln -s /evil/uv /root/.cache/uv; ${isForged('/root/.cache/uv/')}`,
      home: `UV_CACHE_DIR=/evil/.cache/uv ${fetchUv}; ${FORGE('/evil/.cache/uv')}; sed -i s:/root:/evil: /etc/passwd; ${isForged('/evil')}`,
      interpreter: FORGE_PYTHON,
      honest: `${honest}; ${fetchUv}`,
    });
    const tools = '/root/.local/share/uv/tools';
    await attack(
      'tool',
      `${UV_TOOL(url)}\nif [ -e /workspace/own ]; then /root/.local/bin/judge || echo 0 > /logs/verifier/reward.txt; fi`,
      {
        tool: `uv tool install --index-url ${url} judge ${quiet}; ${FORGE(tools)}; ${isForged(tools)}`,
        honest: `${honest}; touch /workspace/own; uv tool install --index-url ${url} judge`,
      },
    );
    const install = `pip install --target /tmp/away --index-url ${url} --trusted-host ${host} judge==1.0 ${quiet}`;
    await attack('pip', PIP(index), {
      wheel: `${install}\npython3 - <<'END'\n${FORGE_WHEELS}\nEND`,
      honest: `${honest}; ${install}`,
    });
    await attack('apt', APT, {
      apt: FORGE_APT,
      honest: `${honest}; apt-get update; apt-get install -y --no-install-recommends ed`,
    });
  }, 900_000);
  afterAll(async () => {
    await index[Symbol.asyncDispose]();
    await removeTaskImages('pp-uv', 'pp-tool', 'pp-pip', 'pp-apt');
    await rig[Symbol.asyncDispose]();
  });

  /** Runs agents, by name and script, on a task whose verifier is the script. */
  const attack = async (name: string, script: string, agents: Readonly<Record<string, string>>) => {
    const task = { dockerfile: INSTALLERS, yaml: YAML, script: `mkdir -p /logs/verifier\n${script}\n` };
    await rig.addTask(`pp-${name}`, task);
    const configurations = Object.keys(agents).map((agent) => `{ harness: ${name}-${agent} }`);
    for (const [agent, text] of Object.entries(agents)) await rig.addHarness(`${name}-${agent}`, text);
    const experiment = await rig.addExperiment(
      `poison-${name}`,
      `tasks: { folders: [../tasks], include: [pp-${name}] }\nconfigurations: [${configurations.join(', ')}]\nconditions: [no-skills]\nconcurrency: 2\n`,
    );
    const run = `poison-${name}-${process.pid}`;
    runs.push(run);
    const ran = await rig.run(['run', experiment, '--run-id', run]);
    const got = attemptsOf(await rig.record(run));
    expect(
      got.map(({ outcome }) => outcome.kind),
      ran.stderr,
    ).toEqual(configurations.map(() => 'scored'));
    for (const record of got) records.set(record.trial.configuration, record);
  };

  const seen = async (agent: string) => {
    const record = records.get(agent);
    if (record === undefined) throw new Error(`no record of ${agent}`);
    const dir = join(rig.dir, 'runs', record.run, 'trials', record.trial.id, '1');
    const [agentSaid, verifierSaid] = await Promise.all(
      ['agent/stdout.log', 'verifier/stdout.log'].map((path) => readFile(join(dir, path), 'utf8')),
    );
    const passed = record.outcome.kind === 'scored' && record.outcome.verdict.passed;
    return { passed, agentSaid, verifierSaid };
  };

  it.each(['uv-cache', 'uv-moved', 'uv-home', 'uv-interpreter', 'tool-tool', 'pip-wheel', 'apt-apt'])(
    'the judge of the index decides, not what the agent left in its place (%s)',
    async (agent) => {
      const { passed, agentSaid, verifierSaid } = await seen(agent);
      expect(agentSaid).toMatch(/^(forged )?\//);
      expect(passed, verifierSaid).toBe(false);
      expect(verifierSaid).toContain('judged');
      expect(verifierSaid).not.toContain('forged');
    },
  );

  it.each(['uv-honest', 'tool-honest', 'pip-honest', 'apt-honest'])(
    'an honest agent that used the same installers passes, and what it installed still runs (%s)',
    async (agent) => {
      const { passed, verifierSaid } = await seen(agent);
      expect(passed, verifierSaid).toBe(true);
    },
  );

  it('says in the record what was taken away', () => {
    const codes = (agent: string) => records.get(agent)?.notices.map(({ code }) => code);
    expect(codes('uv-cache')).toContain('packages-emptied');
    expect(codes('uv-honest')).toContain('packages-emptied');
    expect(codes('tool-honest')).toContain('packages-apart');
  });

  it('leaves nothing on the engine', async () => {
    for (const run of runs) expect(await leftOf(run)).toEqual([]);
  });
});
