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

describe('packages that an agent left for the verifier', () => {
  let rig: Rig;
  let index: PackageIndex;
  const records = new Map<string, AttemptRecord>();
  let run: string;
  const tasks = ['pp-uv', 'pp-tool', 'pp-pip'];

  beforeAll(async () => {
    rig = await makeRig();
    index = await startPackageIndex();
    await rig.addSkill('alpha');
    const { url } = index;
    for (const [id, script] of [
      ['pp-uv', UV(url)],
      [
        'pp-tool',
        `${UV_TOOL(url)}\nif [ -e /workspace/own ]; then /root/.local/bin/judge || echo 0 > /logs/verifier/reward.txt; fi`,
      ],
      ['pp-pip', PIP(index)],
    ] as const)
      await rig.addTask(id, {
        dockerfile: INSTALLERS,
        yaml: YAML,
        script: `mkdir -p /logs/verifier\n${script}\n`,
      });
    const quiet = '>/dev/null 2>&1 || true';
    const fetchUv = `${UV(url)} ${quiet}`;
    await rig.addHarness('cache', `${fetchUv}; ${FORGE('/root/.cache/uv')}; grep -rl forged /root/.cache/uv`);
    await rig.addHarness(
      'moved',
      `mkdir /evil; UV_CACHE_DIR=/evil/uv ${fetchUv}; ${FORGE('/evil/uv')}; mkdir -p /root/.cache; ln -s /evil/uv /root/.cache/uv; grep -rl forged /root/.cache/uv/`,
    );
    await rig.addHarness(
      'home',
      `mkdir /evil; UV_CACHE_DIR=/evil/.cache/uv ${fetchUv}; ${FORGE('/evil/.cache/uv')}; sed -i s:/root:/evil: /etc/passwd; grep -rl forged /evil`,
    );
    await rig.addHarness(
      'tool',
      `uv tool install --index-url ${url} judge ${quiet}; ${FORGE('/root/.local/share/uv/tools')}; grep -rl forged /root/.local/share/uv/tools`,
    );
    await rig.addHarness('interpreter', FORGE_PYTHON);
    await rig.addHarness(
      'wheel',
      `pip install --target /tmp/away --index-url ${url} --trusted-host ${index.host} judge==1.0 ${quiet}
python3 - <<'END'
${FORGE_WHEELS}
END`,
    );
    await rig.addHarness(
      'honest',
      `mkdir -p /workspace/out; echo 42 > /workspace/out/answer.txt; touch /workspace/own; uv tool install --index-url ${url} judge ${quiet}; ${fetchUv}`,
    );
    const experiment = await rig.addExperiment(
      'poison',
      `tasks: { folders: [../tasks] }\nconfigurations: [${['cache', 'moved', 'home', 'tool', 'interpreter', 'wheel', 'honest'].map((harness) => `{ harness: ${harness} }`).join(', ')}]\nconditions: [no-skills]\nconcurrency: 2\n`,
    );
    run = `poison-${process.pid}`;
    const ran = await rig.run(['run', experiment, '--run-id', run]);
    for (const record of attemptsOf(await rig.record(run)))
      records.set(`${record.trial.task} ${record.trial.configuration}`, record);
    expect(
      [...records.values()].map(({ outcome }) => outcome.kind),
      ran.stderr,
    ).toEqual(Array(21).fill('scored'));
  }, 600_000);
  afterAll(async () => {
    await index[Symbol.asyncDispose]();
    await removeTaskImages(...tasks);
    await rig[Symbol.asyncDispose]();
  });

  const seen = async (task: string, agent: string) => {
    const record = records.get(`${task} ${agent}`);
    if (record === undefined) throw new Error(`no record of ${agent} on ${task}`);
    const dir = join(rig.dir, 'runs', run, 'trials', record.trial.id, '1');
    const [agentSaid, verifierSaid] = await Promise.all(
      ['agent/stdout.log', 'verifier/stdout.log'].map((path) => readFile(join(dir, path), 'utf8')),
    );
    const passed = record.outcome.kind === 'scored' && record.outcome.verdict.passed;
    return { passed, agentSaid, verifierSaid, codes: record.notices.map(({ code }) => code) };
  };

  it.each([
    ['pp-uv', 'cache'],
    ['pp-uv', 'moved'],
    ['pp-uv', 'home'],
    ['pp-uv', 'interpreter'],
    ['pp-tool', 'tool'],
    ['pp-pip', 'wheel'],
  ])('%s: the judge of the index decides, not what the agent (%s) left in its place', async (task, agent) => {
    const { passed, agentSaid, verifierSaid, codes } = await seen(task, agent);
    expect(agentSaid).toMatch(agent === 'interpreter' || agent === 'wheel' ? /^forged / : /^\//);
    expect({ passed, verifierSaid }).toMatchObject({
      passed: false,
      verifierSaid: expect.stringContaining('judged'),
    });
    expect(verifierSaid).not.toContain('forged');
    if (agent !== 'home') expect(codes.some((code) => code.startsWith('packages-'))).toBe(true);
  });

  it.each(tasks)(
    '%s: an honest agent that used the same installers passes, and what it installed still runs',
    async (task) => {
      expect(await seen(task, 'honest')).toMatchObject({ passed: true });
    },
  );

  it('leaves nothing on the engine', async () => {
    expect(await leftOf(run)).toEqual([]);
  });
});
