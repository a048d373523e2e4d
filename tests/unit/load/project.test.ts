import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lintInstruction } from '../../../src/lint/task/instruction-skills.ts';
import { NO_MACHINE_SETTINGS } from '../../../src/load/machine-settings.ts';
import { type LoadOptions, loadProject } from '../../../src/load/project.ts';
import { renderProblems } from '../../../src/load/render-problems.ts';
import {
  BASE,
  type Files,
  SKILL_MD,
  scratchFolder,
  scratchProject,
  TASK_YAML,
} from './support/scratch-project.ts';

const EXPERIMENT = BASE['experiments/demo.yaml'] as string;

function load(dir: string, more: Partial<LoadOptions> = {}) {
  return loadProject({
    experimentPath: 'experiments/demo.yaml',
    root: dir,
    machine: NO_MACHINE_SETTINGS,
    checkInstruction: lintInstruction,
    ...more,
  });
}

/** What a user sees; with errors only those, else everything. */
async function printed(changes: Files, more: Partial<LoadOptions> = {}): Promise<string> {
  await using project = await scratchProject(changes);
  const loaded = await load(project.dir, more);
  const problems = loaded.ok ? loaded.value.problems : loaded.error;
  return renderProblems(problems, project.dir).replaceAll(project.dir, '<root>');
}

describe('a project that is right', () => {
  it('loads without a problem, with its digests, and frozen to the bottom', async () => {
    await using project = await scratchProject();
    const loaded = await load(project.dir);
    if (!loaded.ok) throw new Error(renderProblems(loaded.error, project.dir));
    const { value } = loaded;
    expect(value.problems).toEqual([]);
    expect(value.tasks.map(({ id }) => id)).toEqual(['climate']);
    expect(value.tasks[0]?.skills.map(({ name }) => name)).toEqual(['seasonal-trend']);
    expect(value.configurations).toEqual([{ name: 'nop', harness: 'nop', env: {} }]);
    expect([...value.harnesses.keys()]).toEqual(['nop']);
    expect(value.verifiersDigest).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(Object.isFrozen(value.tasks[0]?.environment.env)).toBe(true);
    expect(Object.isFrozen(value.tasks[0]?.skills[0]?.entries[0])).toBe(true);
    expect(Object.isFrozen(value.harnesses.get('nop')?.manifest.discovery.home)).toBe(true);
  });

  it('looks for Skills where any harness finds them, driven or not, and in the well-known folders', async () => {
    await using project = await scratchProject();
    const loaded = await load(project.dir);
    expect(loaded.ok && loaded.value.discovery).toEqual({
      home: ['.claude/skills', '.nop/skills', '.oracle/skills'],
      project: [],
      system: ['/etc/codex/skills'],
    });
  });

  it('reads the native task with the contract defaults', async () => {
    await using project = await scratchProject();
    const loaded = await load(project.dir);
    const task = loaded.ok ? loaded.value.tasks[0] : undefined;
    expect(task?.environment).toEqual({
      contextDir: join(project.dir, 'tasks/climate/environment'),
      dockerfile: 'Dockerfile',
      buildTimeoutMs: 600_000,
      cpus: 1,
      memoryBytes: 1_073_741_824,
      pids: 512,
      network: 'none',
      allowHosts: [],
      env: {},
    });
    expect(task?.agent).toEqual({ timeoutMs: 600_000, user: 'agent' });
    expect(task?.verifier).toMatchObject({
      kind: 'pytest',
      timeoutMs: 300_000,
      isolation: 'outputs',
      skipped: 'fail',
    });
  });

  it('lays the experiment over the settings of the machine', async () => {
    const images = 'images:\n  substitute: { "debian:12": local-debian }\n';
    await using project = await scratchProject({ 'experiments/demo.yaml': `${EXPERIMENT}${images}` });
    const machine = {
      substitute: { 'debian:12': 'other', 'ubuntu:24.04': 'lab' },
      trustCa: 'host' as const,
      buildTimeFactor: 3,
    };
    const loaded = await load(project.dir, { machine });
    expect(loaded.ok && loaded.value.experiment.images).toEqual({
      substitute: { 'debian:12': 'local-debian', 'ubuntu:24.04': 'lab' },
      trustCa: 'host',
      buildTimeFactor: 3,
    });
  });

  it('lets a stand-in given as a flag win over the experiment and the machine', async () => {
    const images = 'images:\n  substitute: { "debian:12": local-debian }\n';
    await using project = await scratchProject({ 'experiments/demo.yaml': `${EXPERIMENT}${images}` });
    const machine = {
      substitute: { 'debian:12': 'other', 'ubuntu:24.04': 'lab' },
      trustCa: 'host' as const,
      buildTimeFactor: 3,
    };
    const substitute = { 'debian:12': 'mine', 'ubuntu:24.04': 'mine-too' };
    const loaded = await load(project.dir, { machine, substitute });
    expect(loaded.ok && loaded.value.experiment.images.substitute).toEqual(substitute);
  });

  it('keeps to "trustCa: none" where the experiment writes it', async () => {
    await using project = await scratchProject({
      'experiments/demo.yaml': `${EXPERIMENT}images: { trustCa: none }\n`,
    });
    const loaded = await load(project.dir, {
      machine: { substitute: {}, trustCa: 'host', buildTimeFactor: 1 },
    });
    expect(loaded.ok && loaded.value.experiment.images.trustCa).toBe('none');
  });

  it('keeps the time for builds that the experiment writes', async () => {
    await using project = await scratchProject({
      'experiments/demo.yaml': `${EXPERIMENT}images: { buildTimeFactor: 1 }\n`,
    });
    const loaded = await load(project.dir, {
      machine: { substitute: {}, trustCa: 'none', buildTimeFactor: 4 },
    });
    expect(loaded.ok && loaded.value.experiment.images.buildTimeFactor).toBe(1);
  });

  it('prefers the bundle inside the task to the one of that name in the library', async () => {
    const own = SKILL_MD.replace('Splits a series', 'Cuts a series');
    await using project = await scratchProject({ 'tasks/climate/skills/seasonal-trend/SKILL.md': own });
    const loaded = await load(project.dir);
    expect(loaded.ok && loaded.value.tasks[0]?.skills[0]?.description).toBe(
      'Cuts a series into season and trend.',
    );
  });

  it('gives the task a digest that no Skill and every file of its own changes', async () => {
    await using project = await scratchProject();
    const digest = async () => {
      const loaded = await load(project.dir);
      return loaded.ok ? loaded.value.tasks[0]?.digest : undefined;
    };
    const first = await digest();
    await writeFile(join(project.dir, 'skills/seasonal-trend/extra.md'), 'more');
    await writeFile(join(project.dir, 'tasks/climate/README.md'), 'for people');
    await mkdir(join(project.dir, 'tasks/climate/environment/skills'));
    await writeFile(join(project.dir, 'tasks/climate/environment/skills/x'), 'x');
    expect(await digest()).toBe(first);
    const seen = new Set([first]);
    for (const file of [
      'instruction.md',
      'task.yaml',
      'environment/data.csv',
      'tests/data.csv',
      'solution/data.csv',
    ]) {
      await writeFile(
        join(project.dir, 'tasks/climate', file),
        file === 'task.yaml' ? `${TASK_YAML}tags: [x]\n` : 'x',
      );
      seen.add(await digest());
    }
    await chmod(join(project.dir, 'tasks/climate/environment/data.csv'), 0o755);
    seen.add(await digest());
    await mkdir(join(project.dir, 'tasks/climate/skills'));
    await writeFile(join(project.dir, 'tasks/climate/skills/reference.md'), 'travels with the Skills');
    seen.add(await digest());
    expect(seen).not.toContain(undefined);
    expect(seen.size).toBe(8);
  });
});

describe('bad input is met by its place and its repair', () => {
  it('an unknown key', async () => {
    const text = await printed({ 'experiments/demo.yaml': `${EXPERIMENT}trails: 3\n` });
    expect(text).toBe(`experiments/demo.yaml:5:1 error: unknown key "trails"
  | trails: 3
  | ^
  repair: did you mean "trials"?
`);
  });

  it('a YAML syntax error', async () => {
    const text = await printed({ 'experiments/demo.yaml': `${EXPERIMENT}conditions: [no-skills\n` });
    expect(text).toContain('experiments/demo.yaml:5:13 error: YAML: the [ is never closed\n');
  });

  it('a missing Dockerfile', async () => {
    expect(await printed({ 'tasks/climate/environment/Dockerfile': null })).toBe(
      `tasks/climate/environment/Dockerfile error: the task has no Dockerfile
  repair: write it, beginning with "FROM skillpair/base:1"
`,
    );
  });

  it('a Dockerfile that the task names and does not have', async () => {
    const task = `${TASK_YAML}environment:\n  dockerfile: Other.Dockerfile\n`;
    expect(await printed({ 'tasks/climate/task.yaml': task })).toContain(
      'tasks/climate/task.yaml:10:15 error: the task has no Dockerfile: there is no environment/Other.Dockerfile',
    );
  });

  it('a Skill that is named but absent', async () => {
    const task = TASK_YAML.replace('[seasonal-trend]', '[seasonal-trends]');
    expect(await printed({ 'tasks/climate/task.yaml': task })).toBe(
      `tasks/climate/task.yaml:6:10 error: there is no Skill "seasonal-trends", neither in the task's skills/ nor in <root>/skills
  | skills: [seasonal-trends]
  |          ^
  repair: did you mean "seasonal-trend"?
`,
    );
  });

  it('a Skill whose head cannot be used', async () => {
    const text = await printed({ 'skills/seasonal-trend/SKILL.md': '---\nname: seasonal-trend\n---\n' });
    expect(text).toBe(`skills/seasonal-trend/SKILL.md:2:1 error: the head has no "description"
  | name: seasonal-trend
  | ^
  repair: add "description: …" to the head
`);
  });

  it('one task id in two folders', async () => {
    const again = Object.fromEntries(
      Object.entries(BASE)
        .filter(([path]) => path.startsWith('tasks/'))
        .map(([path, content]) => [`more-${path}`, content]),
    );
    const experiment = `${EXPERIMENT}tasks:\n  folders: [../tasks, ../more-tasks]\n`;
    expect(await printed({ ...again, 'experiments/demo.yaml': experiment })).toContain(
      'more-tasks/climate error: the task id "climate" stands twice: also in <root>/tasks/climate',
    );
  });

  it('two task ids that differ only in case', async () => {
    const twin = Object.fromEntries(
      Object.entries(BASE)
        .filter(([path]) => path.startsWith('tasks/'))
        .map(([path, content]) => [path.replace('climate', 'Climate'), content]),
    );
    expect(
      await printed(twin),
    ).toBe(`tasks/climate error: the task ids "Climate" and "climate" differ only in case
  repair: rename one of the two folders
`);
  });

  it('trials: 0', async () => {
    expect(await printed({ 'experiments/demo.yaml': `${EXPERIMENT}trials: 0\n` })).toBe(
      `experiments/demo.yaml:5:9 error: trials is 0: at least 1 is needed
  | trials: 0
  |         ^
  repair: write 1 or more
`,
    );
  });

  it('no task selected', async () => {
    const experiment = `${EXPERIMENT}tasks:\n  include: [climat]\n`;
    expect(await printed({ 'experiments/demo.yaml': experiment })).toBe(
      `experiments/demo.yaml:6:3 error: no task is selected
  |   include: [climat]
  |   ^
  repair: did you mean "climate"? available: climate
`,
    );
  });

  it('a library of Skills that is not there, once, at its place', async () => {
    expect(await printed({ 'experiments/demo.yaml': `${EXPERIMENT}skills: ../skils\n` })).toBe(
      `experiments/demo.yaml:5:9 error: there is no folder of Skills at <root>/skils
  | skills: ../skils
  |         ^
  repair: correct "skills"
`,
    );
  });

  it('a task file under another name', async () => {
    const text = await printed({ 'tasks/climate/task.yaml': null, 'tasks/climate/task.yml': TASK_YAML });
    expect(text).toBe(`tasks/climate error: a task's file is called task.yaml, and task.yml is not read
  repair: rename task.yml to task.yaml
`);
  });

  it('an empty experiment', async () => {
    const text = await printed({ 'experiments/demo.yaml': '' });
    expect(text).toContain('the file must be a map of keys, not empty');
    expect(text).toContain('repair: write the keys that it needs: schemaVersion, name, configurations\n');
  });

  it.each([
    [
      'gates: { minGain: 50 }',
      'gates.minGain is 50: at most 1 is allowed',
      'write 0.5 for 50 percentage points',
    ],
    [
      'gates: { minGain: -5 }',
      'gates.minGain is -5: at least -1 is needed',
      'write -0.05 for -5 percentage points',
    ],
    ['gates: { minPassRate: 80% }', 'gates.minPassRate must be a number, not "80%"', 'write 0.8 for 80 %'],
    ['conditions: no-skills', 'conditions must be a list, not "no-skills"', 'write a list: [no-skills]'],
    ['images: { platform: amd64 }', 'a platform looks like linux/amd64', 'write linux/amd64 or linux/arm64'],
  ])('an experiment with %j gets a repair', async (line, message, repair) => {
    const text = await printed({ 'experiments/demo.yaml': `${EXPERIMENT}${line}\n` });
    expect(text).toContain(message);
    expect(text).toContain(`  repair: ${repair}\n`);
  });

  it.each([
    ['Demo', '"demo"'],
    ['Größe der Welt', '"gro-e-der-welt"'],
    ['"!"', 'a name such as demo'],
  ])('an experiment that is called %s', async (name, proposal) => {
    const text = await printed({ 'experiments/demo.yaml': EXPERIMENT.replace('demo', name) });
    expect(text).toContain('an experiment name has at most 40 lower-case letters, digits and "-"\n');
    expect(text).toContain(`  repair: write ${proposal}\n`);
  });

  it.each([
    ['outputs: [out]', 'verifier.outputs[0] is "out"', 'write it from the root on, such as "/workspace/out"'],
    ['outputs: [./workspace/out]', 'outputs[0]', 'write it from the root on, such as "/workspace/out"'],
    ['outputs: /a', 'verifier.outputs must be a list, not "/a"', 'write a list: [/a]'],
    ['timeout: 10', 'verifier.timeout is 10: must be a duration', 'write a number and its unit, such as 10m'],
  ])('a task whose verifier has %j', async (line, message, repair) => {
    const task = TASK_YAML.replace('outputs: [/workspace/out]', line);
    const text = await printed({ 'tasks/climate/task.yaml': task });
    expect(text).toContain(message);
    expect(text).toContain(`  repair: ${repair}\n`);
  });

  it('a task folder that is not there', async () => {
    const experiment = `${EXPERIMENT}tasks:\n  folders: [../taks]\n`;
    expect(await printed({ 'experiments/demo.yaml': experiment })).toContain(
      'experiments/demo.yaml:6:13 error: there is no folder <root>/taks',
    );
  });

  it.each([
    ['two words', '"two words" (9 characters) is no task id', 'to "two-words" say'],
    ['dots.', '"dots." (5 characters) is no task id', 'to "dots" say'],
    ['klima-ü', '"klima-ü" (7 characters) is no task id', 'to "klima-u" say'],
    ['x'.repeat(200), `"${'x'.repeat(57)}…" (200 characters) is no task id`, `to "${'x'.repeat(60)}" say`],
  ])('a task id such as %s', async (id, message, repair) => {
    const moved = Object.fromEntries(
      Object.entries(BASE).flatMap(([path, content]) =>
        path.startsWith('tasks/climate/')
          ? [[path, null] as const, [path.replace('climate', id), content] as const]
          : [],
      ),
    );
    const text = await printed(moved);
    expect(text).toContain(`tasks/${id} error: ${message}`);
    expect(text).toContain(repair);
  });

  it('an experiment file that is not there', async () => {
    expect(
      await printed({ 'experiments/demo.yaml': null }),
    ).toBe(`experiments/demo.yaml error: there is no such file
  repair: write it, or correct its path
`);
  });

  it('a harness that is not there, and a model that is missing', async () => {
    const text = await printed({
      'experiments/demo.yaml': `${EXPERIMENT}  - harness: orcale\n  - harness: claude\n`,
    });
    expect(text).toContain(
      'experiments/demo.yaml:5:14 error: there is no harness "orcale" in <root>/harnesses',
    );
    expect(text).toContain('did you mean "oracle"?');
    expect(text).toContain('experiments/demo.yaml:6:5 error: the harness "claude" needs a model');
  });

  it('two configurations of one name', async () => {
    const text = await printed({
      'experiments/demo.yaml': `${EXPERIMENT}  - harness: oracle\n    name: Nop\n`,
    });
    expect(text).toContain(
      'experiments/demo.yaml:6:11 error: the configuration name "Nop" differs from "nop" only in case',
    );
  });

  it('an empty list of outputs under isolation outputs', async () => {
    const task = TASK_YAML.replace('  outputs: [/workspace/out]\n', '  kind: pytest\n');
    expect(await printed({ 'tasks/climate/task.yaml': task })).toContain(
      'tasks/climate/task.yaml:7:1 error: verifier.outputs is empty',
    );
  });

  it.each([
    ['instruction.md', 'tasks/climate/instruction.md error: there is no such file'],
    ['tests/test_outputs.py', 'tasks/climate/tests error: the task has no tests: tests/ holds no test_*.py'],
  ])('a task without %s', async (file, expected) => {
    expect(await printed({ [`tasks/climate/${file}`]: null })).toContain(expected);
  });

  it('a missing solution, only where a configuration runs it', async () => {
    const without = { 'tasks/climate/solution/solve.sh': null };
    expect(await printed(without)).toBe('');
    const oracle = { 'experiments/demo.yaml': `${EXPERIMENT}  - harness: oracle\n` };
    expect(await printed({ ...without, ...oracle })).toContain(
      'tasks/climate/solution/solve.sh error: a configuration uses the oracle harness, and the task has no solution/solve.sh',
    );
  });

  it.each([
    ['conditions: [no-skills, no-skills]', '5:25 error: the condition "no-skills" stands twice'],
    [
      'conditions: [without]',
      '5:14 error: conditions[0] is "without", which is none of: no-skills, with-skills',
    ],
    ['conditions: []', '5:13 error: conditions has 0 entries: at least 1 is needed'],
    ['verifiers: ../verifier', '5:12 error: there is no folder of verifiers at <root>/verifier'],
    ['concurrency: 300', '5:14 error: concurrency is 300: at most 256 is allowed'],
    [
      'images: { platform: amd64 }',
      '5:21 error: images.platform is "amd64": a platform looks like linux/amd64',
    ],
    ['attempts: { max: 1.5 }', '5:18 error: attempts.max must be a whole number, not 1.5'],
    ['gates: { minCoverage: 2 }', '5:23 error: gates.minCoverage is 2: at most 1 is allowed'],
    [
      '  - harness: claude\n    model: vendor/m',
      '5:5 error: "claude@vendor/m", the name made from harness and model',
    ],
    ['  - harness: nop', '5:5 error: the configuration name "nop" stands twice'],
  ])('an experiment with %j', async (line, expected) => {
    expect(await printed({ 'experiments/demo.yaml': `${EXPERIMENT}${line}\n` })).toContain(
      `experiments/demo.yaml:${expected}`,
    );
  });

  it('a Skill that a task names twice', async () => {
    const task = TASK_YAML.replace('[seasonal-trend]', '[seasonal-trend, seasonal-trend]');
    expect(await printed({ 'tasks/climate/task.yaml': task })).toContain(
      'tasks/climate/task.yaml:6:26 error: the Skill "seasonal-trend" stands twice',
    );
  });

  it('a task file that does not fit, without guesses at what it meant', async () => {
    const task = `${TASK_YAML.replace('core', 'hard')}  kind: script\nenvironment: { dockerfile: Other }\n`;
    const text = await printed({
      'tasks/climate/task.yaml': task,
      'tasks/climate/tests/test_outputs.py': null,
      'tasks/climate/environment/Dockerfile': null,
    });
    expect(
      text,
    ).toBe(`tasks/climate/task.yaml:5:13 error: difficulty is "hard", which is none of: core, extended, extreme
  | difficulty: hard
  |             ^
  repair: use one of: core, extended, extreme
`);
  });

  it('everything at once, from every file', async () => {
    const text = await printed({
      'experiments/demo.yaml': `${EXPERIMENT}  - harness: none-such\n`,
      'tasks/climate/task.yaml': TASK_YAML.replace('core', 'hard').replace('title', 'titel'),
      'tasks/climate/instruction.md': null,
      'skills/seasonal-trend/SKILL.md': null,
    });
    const places = text.split('\n').filter((line) => line.includes(' error: '));
    expect(places.map((line) => line.split(' error: ')[0])).toEqual([
      'experiments/demo.yaml:5:14',
      'tasks/climate/task.yaml:1:1',
      'tasks/climate/task.yaml:2:1',
      'tasks/climate/task.yaml:5:13',
      'tasks/climate/instruction.md',
    ]);
  });
});

describe('which tasks take part', () => {
  const twin = (id: string) =>
    Object.fromEntries(
      Object.entries(BASE)
        .filter(([path]) => path.startsWith('tasks/'))
        .map(([path, content]) => [path.replace('climate', id), content]),
    );

  it.each([
    ['{ include: ["clim*"] }', ['climate']],
    ['{ include: ["{rain,wind}"] }', ['rain', 'wind']],
    ['{ exclude: ["*i*"] }', []],
    ['{ exclude: [climate] }', ['rain', 'wind']],
    ['{}', ['climate', 'rain', 'wind']],
  ])('tasks: %s', async (selection, expected) => {
    await using project = await scratchProject({
      ...twin('wind'),
      ...twin('rain'),
      'experiments/demo.yaml': `${EXPERIMENT}tasks: ${selection}\n`,
      'tasks/.cache/task.yaml': 'not looked at',
      'tasks/README.md': 'not a folder',
    });
    const loaded = await load(project.dir);
    expect(loaded.ok ? loaded.value.tasks.map(({ id }) => id) : []).toEqual(expected);
  });

  it('lists what there is when the selection is empty by default patterns', async () => {
    const text = await printed({
      ...twin('wind'),
      'experiments/demo.yaml': `${EXPERIMENT}tasks: { exclude: ["*"] }\n`,
    });
    expect(text).toBe(`experiments/demo.yaml:5:1 error: no task is selected
  | tasks: { exclude: ["*"] }
  | ^
  repair: available: climate, wind
`);
  });

  it('refuses a folder with both task files, and a folder of tasks without any', async () => {
    expect(await printed({ 'tasks/climate/task.toml': 'version = "1.0"\n' })).toContain(
      'tasks/climate error: the task has both task.yaml and task.toml',
    );
    const experiment = `${EXPERIMENT}tasks:\n  folders: [../skills]\n`;
    expect(await printed({ 'experiments/demo.yaml': experiment })).toContain(
      'experiments/demo.yaml:6:3 error: there are no tasks in the folders of tasks.folders',
    );
  });

  it('reads both formats side by side', async () => {
    await using project = await scratchProject({
      'tasks/xrd/task.toml': 'version = "1.0"\n',
      'tasks/xrd/instruction.md': 'Fit.\n',
      'tasks/xrd/environment/Dockerfile': 'FROM ubuntu:24.04\n',
      'tasks/xrd/tests/test.sh': 'true\n',
    });
    const loaded = await load(project.dir);
    expect(loaded.ok && loaded.value.tasks.map(({ id, format }) => [id, format])).toEqual([
      ['climate', 'native'],
      ['xrd', 'harbor'],
    ]);
  });
});

describe('what is worth a word and stops nothing', () => {
  it('names tasks without Skills once, since their arms cannot differ', async () => {
    const task = TASK_YAML.replace('skills: [seasonal-trend]\n', '');
    expect(await printed({ 'tasks/climate/task.yaml': task })).toContain(
      'warning: 1 task has no Skills, so that the arms cannot differ: climate',
    );
  });

  it('notes that one condition alone has no gain', async () => {
    expect(await printed({ 'experiments/demo.yaml': `${EXPERIMENT}conditions: [with-skills]\n` })).toContain(
      'experiments/demo.yaml:5:1 note: "with-skills" is the only condition: there will be no gain to report',
    );
  });

  it('skips a folder that is no task, with a note', async () => {
    expect(await printed({ 'tasks/notes/README.md': 'x' })).toBe(
      'tasks/notes note: the folder is no task: it has neither task.yaml nor task.toml\n',
    );
  });

  it('warns of a pattern that chooses nothing beside others that do', async () => {
    const text = await printed({
      'experiments/demo.yaml': `${EXPERIMENT}tasks: { include: [climate, wether] }\n`,
    });
    expect(text).toContain('experiments/demo.yaml:5:29 warning: no task is called "wether"');
  });

  it('takes a fault in a harness that no configuration names as a warning', async () => {
    const text = await printed({ 'harnesses/claude/harness.yaml': 'id: claude\n' });
    expect(text).not.toContain('error:');
    expect(text).toContain('harnesses/claude/harness.yaml:1:1 warning: missing key "schemaVersion"');
  });

  it('warns of an instruction that names a Skill, and refuses it when told to be strict', async () => {
    const changes = { 'tasks/climate/instruction.md': 'Be quick.\nUse seasonal-trend for it.\n' };
    expect(await printed(changes)).toContain(
      'tasks/climate/instruction.md:2:5 warning: the instruction names the Skill "seasonal-trend"',
    );
    expect(await printed(changes, { strict: true })).toContain(
      'instruction.md:2:5 error: the instruction names',
    );
  });

  it('warns of a bundle in the task that the task does not name', async () => {
    const other = SKILL_MD.replace('seasonal-trend', 'other');
    const text = await printed({ 'tasks/climate/skills/other/SKILL.md': other });
    expect(text).toContain('tasks/climate/task.yaml:6:1 warning: skills/other is in the task');
  });
});

it('carries loose files beside the bundles, and says where a build context has Skills', async () => {
  await using project = await scratchProject({
    'tasks/climate/skills/reference.md': 'see me',
    'tasks/climate/environment/skills/x/SKILL.md': SKILL_MD,
  });
  const loaded = await load(project.dir);
  const task = loaded.ok ? loaded.value.tasks[0] : undefined;
  expect(task?.looseSkillFiles.map(({ path }) => path)).toEqual(['reference.md']);
  expect(task?.environment.skillsPath).toBe('skills');
});

it('refuses a library Skill that is a link out of the library', async () => {
  await using elsewhere = await scratchFolder({ 'SKILL.md': SKILL_MD });
  await using project = await scratchProject({ 'skills/seasonal-trend/SKILL.md': null });
  await mkdir(join(project.dir, 'skills'), { recursive: true });
  await symlink(elsewhere.dir, join(project.dir, 'skills/seasonal-trend'));
  const loaded = await load(project.dir);
  expect(loaded.ok ? [] : loaded.error.map(({ where, message }) => `${where?.file}: ${message}`)).toEqual([
    'skills/seasonal-trend: the link leads out of the folder that it stands in',
  ]);
});
