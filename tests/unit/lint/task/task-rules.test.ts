import { describe, expect, it } from 'vitest';
import { TASK_RULES } from '../../../../src/lint/task/task-rules.ts';
import { said, type TaskFiles } from './linted-task.ts';

const TEST = 'tests/test_outputs.py';
const DOCKERFILE = 'environment/Dockerfile';
const SKILL = 'skills/averages/SKILL.md';
const skill = (body: string, head = '') =>
  `---\nname: averages\ndescription: Averages.\n${head}---\n${body}\n`;
const python = (...lines: string[]) => `${lines.join('\n')}\n`;
/** Eight statements that are nobody's everyday lines. */
const STEPS = Array.from(
  { length: 8 },
  (_, at) => `river_level_${at} = gauge_reading_${at} * calibration_${at}`,
).join('\n');
const LONG = `${'a made-up answer, long enough not to be alike by chance. '.repeat(3)}\n`;

interface Case {
  readonly rule: string;
  readonly fires: TaskFiles;
  /** Where it says so, and of what. */
  readonly at: string;
  readonly says: string;
  /** The nearest thing that is right. */
  readonly control: TaskFiles;
}

const CASES: readonly Case[] = [
  {
    rule: 'instruction-names-skill',
    fires: {
      'instruction.md': 'Read the data.\nUse gap-averages.\n',
      'skills/gap-averages/SKILL.md': skill('Average.'),
    },
    at: 'instruction.md:2 warning',
    says: 'names the Skill "gap-averages"',
    control: {
      'instruction.md': 'Write gap_averages.csv.\n',
      'skills/gap-averages/SKILL.md': skill('Average.'),
    },
  },
  {
    rule: 'instruction-shares-skill-text',
    fires: { 'instruction.md': `Do it. ${LONG.repeat(2)}`, [SKILL]: skill(LONG.repeat(2)) },
    at: 'instruction.md:1 warning',
    says: 'characters in a row with the Skill "averages"',
    control: { 'instruction.md': `Do it. ${LONG.slice(0, 150)}`, [SKILL]: skill(LONG.slice(0, 150)) },
  },
  {
    rule: 'instruction-speaks-of-skills',
    fires: { 'instruction.md': 'Use your skills.\n' },
    at: 'instruction.md:1 warning',
    says: 'speaks of skills',
    control: { 'instruction.md': 'A skilled clerk did it.\n' },
  },
  {
    rule: 'instruction-tells-answer',
    fires: {
      'instruction.md': 'Sum up.\nThe sum is 48271.\n',
      [TEST]: python('def test_sum():', '    assert total() == 48271'),
    },
    at: 'instruction.md:2 note',
    says: '48271',
    control: {
      'instruction.md': 'Sum up the years from 1999 on.\n',
      [TEST]: python('def test_sum():', '    assert first_year() == 1999', '    assert total() == 48271'),
    },
  },
  {
    rule: 'skill-holds-task-file',
    fires: { 'tests/judge.txt': LONG, 'skills/averages/judge.txt': LONG },
    at: 'skills/averages/judge.txt: warning',
    says: 'byte for byte tests/judge.txt',
    control: { 'tests/__init__.py': '', 'skills/averages/__init__.py': '' },
  },
  {
    rule: 'skill-shares-lines',
    fires: { 'solution/solve.py': STEPS, [SKILL]: skill(STEPS) },
    at: 'solution/solve.py:1 warning',
    says: '8 of ',
    control: { 'solution/solve.py': STEPS, [SKILL]: skill(STEPS), 'environment/notes.txt': STEPS },
  },
  {
    rule: 'skill-holds-literals',
    fires: {
      [SKILL]: skill('The factor is 59.4827.'),
      'solution/solve.py': 'FACTOR = 59.4827\n',
      [TEST]: python('FACTOR = 59.4827', 'def test_it():', '    assert read() > FACTOR'),
    },
    at: `${SKILL}:5 warning`,
    says: '59.4827',
    control: {
      [SKILL]: skill('The factor is 59.4827, of 2024, in kilobytes of 1024.'),
      'solution/solve.py': 'FACTOR = 59.4827\n',
      [TEST]: python('FACTOR = 59.4827', 'def test_it():', '    assert read() > FACTOR'),
      'environment/data.csv': 'factor\n59.4827\n',
    },
  },
  {
    rule: 'skill-tells-expected',
    fires: {
      [SKILL]: skill('Average.\nFor station N1 on 2024-05-02 the answer is 210; for S2 it is 320.'),
      [TEST]: python('def test_it():', '    assert mean("N1", "2024-05-02") == "210"'),
    },
    at: `${SKILL}:6 warning`,
    says: 'n1: 210, 2024-05-02: 210',
    control: {
      [SKILL]: skill('Average.\nFor station N1 there are\n210 rows. S2 has 320 of them.'),
      'environment/notes.txt': 'S2 has 320 rows.\n',
      [TEST]: python(
        'def test_it():',
        '    assert mean("N1") == "210"',
        '    assert mean("S2") == 320',
        '    assert rows()[0] == {"S3": 5}',
      ),
    },
  },
  {
    rule: 'skill-names-task',
    fires: { [SKILL]: skill('Average.\nAs in station-log.') },
    at: `${SKILL}:6 warning`,
    says: 'names this task, "station-log"',
    control: { [SKILL]: skill('Average a station log, or my-station-log-2, or stations.') },
  },
  {
    rule: 'reaches-for-skill',
    fires: { 'solution/solve.sh': 'cd /tmp\npython3 /root/.claude/skills/averages/run.py\n' },
    at: 'solution/solve.sh:2 note',
    says: 'the solution uses files of a Skill',
    control: {
      'solution/solve.sh': '# not from /root/.claude/skills/averages\ncd /data/skills/other\n',
      [TEST]: python('def test_it():', '    assert read() == "skills"'),
    },
  },
  {
    rule: 'proprietary-skill',
    fires: { [SKILL]: skill('Average.', 'license: Proprietary. See LICENSE.txt\n') },
    at: `${SKILL}:4 note`,
    says: 'proprietary',
    control: { [SKILL]: skill('Proprietary formats are read too.', 'license: MIT\n') },
  },
  {
    rule: 'test-asserts-nothing',
    fires: { [TEST]: python('def test_it():', '    """It must hold: assert."""', '    print("assert")') },
    at: `${TEST}:1 warning`,
    says: 'test_it asserts nothing',
    control: {
      [TEST]: python(
        'import pytest',
        'def holds(value):',
        '    assert value',
        'class TestIt:',
        '    def test_helper(self):',
        '        holds(read())',
        'def test_raises():',
        '    with pytest.raises(ValueError):',
        '        read("x")',
        'def test_case(self):',
        '    self.assertEqual(1, one())',
        'def test_import():',
        '    """It can be imported."""',
        '    import deliverable',
        'def test_pool():',
        '    pool.map(holds, range(3))',
      ),
    },
  },
  {
    rule: 'python-syntax',
    fires: { [TEST]: python('def test_it()', '    assert read() == [1, 2]') },
    at: `${TEST}:1 error`,
    says: 'the line of "def" has no ":"',
    control: {
      [TEST]: python(
        'async def run(a, b={"x": 1}): return a[1:]',
        'class Rows: ...',
        'def test_it():',
        '\ttext = """never (closed"""',
        '\tassert read() == [1,',
        '  2], f"{text!r} it\'s wrong"  # (',
        '',
        '# nothing',
        'if x: y = 1',
        'else: y = 2',
      ),
      'tests/not-collected/broken.txt': 'def (',
    },
  },
  {
    rule: 'test-reads-network',
    fires: {
      [TEST]: python(
        'import requests',
        'def test_it():',
        '    page = requests.get("https://example.org/x")',
        '    assert page.ok',
      ),
    },
    at: `${TEST}:3 warning`,
    says: 'requests.get()',
    control: {
      [TEST]: python(
        'import requests',
        'def test_it():',
        '    assert requests.get("http://localhost:8080/x").ok',
        '    assert requests.get(f"http://{host}:80/x").ok',
      ),
    },
  },
  {
    rule: 'test-depends-on-time',
    fires: { [TEST]: python('def test_it():', '    assert read() == date.today().isoformat()') },
    at: `${TEST}:2 warning`,
    says: 'date.today()',
    control: {
      [TEST]: python('def test_it():', '    # not date.today()', '    assert read() == date(2024, 2, 29)'),
    },
  },
  {
    rule: 'test-depends-on-chance',
    fires: { [TEST]: python('def test_it():', '    x = np.random.rand(3)', '    assert run(x)') },
    at: `${TEST}:2 warning`,
    says: 'np.random.rand()',
    control: {
      [TEST]: python('def test_it():', '    rng = np.random.default_rng(7)', '    assert run(rng.random(3))'),
    },
  },
  {
    rule: 'test-depends-on-order',
    fires: {
      [TEST]: python('def test_a():', '    global made', '    made = make()', '    assert made'),
    },
    at: `${TEST}:2 note`,
    says: 'global made',
    control: { [TEST]: python('LIMIT = 3', 'def test_a():', '    assert read() < LIMIT  # global') },
  },
  {
    rule: 'answer-in-context',
    fires: { 'tests/truth.csv': LONG, 'environment/copy.csv': LONG },
    at: 'tests/truth.csv: warning',
    says: 'environment/copy.csv',
    control: { 'tests/truth.csv': LONG, 'environment/copy.csv': `${LONG}.` },
  },
  {
    rule: 'absent-content',
    fires: {
      'environment/data.csv': `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 4081\n`,
    },
    at: 'environment/data.csv: warning',
    says: 'a pointer of Git LFS: its content of 4081 bytes is kept elsewhere',
    control: { 'environment/data.csv': 'version,oid,size\n1,2,4081\n' },
  },
  {
    rule: 'skill-licence-missing',
    fires: { [SKILL]: skill('Average.', 'license: Complete terms in LICENSE.txt\n') },
    at: `${SKILL}:4 warning`,
    says: 'names LICENSE.txt',
    control: {
      [SKILL]: skill('Average.', 'license: Complete terms in LICENSE.txt\n'),
      'skills/averages/LICENSE.txt': 'Do as you like.\n',
    },
  },
  {
    rule: 'carriage-return',
    fires: { 'tests/test.sh': 'echo 1\r\necho 2\r\n' },
    at: 'tests/test.sh:1 warning',
    says: 'end as on Windows',
    control: { 'tests/test.sh': 'echo 1\necho 2\n', 'environment/data.csv': 'value\r\n1\r\n' },
  },
  {
    rule: 'unpinned-install',
    fires: { [DOCKERFILE]: 'FROM skillpair/base:1\nRUN true && \\\n  pip install numpy==2.1.0 pandas\n' },
    at: `${DOCKERFILE}:2 warning`,
    says: 'pip installs pandas',
    control: {
      [DOCKERFILE]:
        'FROM skillpair/base:1\nRUN pip install -r requirements.txt "numpy==2.1.0" ./wheels/x.whl\nRUN npm i -g typescript@5.4.2\n',
      'tests/test.sh': '# pip install pandas\nuvx --with pytest==8.4.1 pytest /tests\n',
    },
  },
  {
    rule: 'unpinned-apt',
    fires: { [DOCKERFILE]: 'FROM skillpair/base:1\nRUN apt-get update && apt-get install -y curl jq\n' },
    at: `${DOCKERFILE}:2 note`,
    says: 'curl, jq',
    control: { [DOCKERFILE]: 'FROM skillpair/base:1\nRUN apt-get install -y jq=1.6-2.1\n' },
  },
  {
    rule: 'piped-installer',
    fires: { 'tests/test.sh': 'curl -LsSf https://example.org/install.sh | sh\n' },
    at: 'tests/test.sh:1 warning',
    says: 'https://example.org/install.sh',
    control: { 'tests/test.sh': 'curl -LsSf https://example.org/tool/0.9.7/install.sh | sh\n' },
  },
  {
    rule: 'foreign-base',
    fires: { [DOCKERFILE]: 'FROM skillpair/base:1\nCOPY --from=registry.example/tool:1 /tool /tool\n' },
    at: `${DOCKERFILE}:2 note`,
    says: 'registry.example/tool:1 comes from another registry, though no FROM names it',
    control: {
      [DOCKERFILE]: 'FROM docker.io/library/debian:12 AS one\nFROM skillpair/base:1\nCOPY --from=one /a /a\n',
    },
  },
];

const rulesSaid = (files: TaskFiles) => said(files).map((line) => line.split(' ')[0]);

it('nothing is said of a sound task', () => {
  expect(said()).toEqual([]);
});

describe.each(CASES)('$rule', ({ rule, fires, at, says, control }) => {
  it('is raised at its place', () => {
    const [line] = said(fires).filter((each) => each.startsWith(`${rule} `));
    expect(line).toContain(` ${at}:`);
    expect(line).toContain(says);
  });

  it('control: is not raised for what is right', () => {
    expect(rulesSaid(control)).not.toContain(rule);
  });
});

describe('context-size', () => {
  const large = (size: number) => ({
    context: [{ path: 'environment/video.mp4', hostPath: 'environment/video.mp4', size }],
  });

  it('names the largest files of a context of 32 MiB and more', () => {
    expect(said({}, large(40 * 1024 ** 2))).toEqual([
      'context-size environment: note: the build context has 1 files and 40.0 MiB; the largest: environment/video.mp4 (40.0 MiB)',
    ]);
  });

  it('control: says nothing of a smaller one', () => {
    expect(said({}, large(31 * 1024 ** 2))).toEqual([]);
  });
});

describe('git-history', () => {
  it('names a repository that travels with the task', () => {
    expect(said({}, { repositories: ['environment/.git'] })[0]).toMatch(
      /^git-history environment\/\.git: warning:/,
    );
  });

  it('control: a .gitignore is no history', () => {
    expect(said({ 'environment/.gitignore': '*.pyc\n' })).toEqual([]);
  });
});

it.each([
  [['def test_it():', '    assert (read() == 1'], 2, '( is never closed'],
  [['def test_it():', '    assert read()) == 1'], 2, ') closes nothing'],
  [['def test_it():', '    assert [read(1] == 1'], 2, ') of'],
  [['def test_it():', '    assert read() == "x'], 2, 'the string that " begins is never closed'],
  [['def test_it():', 'assert read() == 1'], 2, 'wants an indented block'],
  [['x = 1', '  y = 2'], 2, 'the line is indented'],
  [['if x:', '    y = 1', '  z = 2'], 3, 'the indent is that of no line before'],
  [['def test_it():'], 1, 'the last line wants an indented block'],
  [['x = “a”'], 1, '“ means nothing there'],
])('python-syntax: %s', (lines, line, says) => {
  const [found] = said({ [TEST]: python(...lines) }).filter((each) => each.startsWith('python-syntax'));
  expect(found).toContain(` ${TEST}:${line} error: this is no Python: `);
  expect(found).toContain(says.replace(') of', 'cannot close the'));
});

it('python-syntax is a doubt in what pytest does not collect, and silent where newer versions nest quotes', () => {
  expect(said({ 'solution/solve.py': 'f(\n' })[0]).toMatch(/^python-syntax solution\/solve\.py:1 warning:/);
  expect(said({ 'solution/solve.py': `print(f"{rows["a)"]}")\n` })).toEqual([]);
});

it.each(['True', '1', '"done"', 'True, "always"'])('assert %s is no assertion', (value) => {
  const files = { [TEST]: python('def test_it():', '    run()', `    assert ${value}`) };
  expect(rulesSaid(files)).toEqual(['test-asserts-nothing']);
});

it.each(['False', '0', 'True == read()', '"a" in read()', '(True, read())[1]', 'not True'])(
  'control: assert %s is one',
  (value) => {
    expect(said({ [TEST]: python('def test_it():', `    assert ${value}`) })).toEqual([]);
  },
);

it('solutions that are not there are told when the files are read', () => {
  const none = { solution: [], almostRight: [] };
  expect(said({}, none).map((line) => line.split(' ')[0])).toEqual([
    'oracle-missing',
    'almost-right-missing',
  ]);
  expect(said({}, { ...none, format: 'harbor' }).map((line) => line.split(' ')[0])).toEqual([
    'oracle-missing',
  ]);
});

it.each([
  ['EXPECTED = {"N1": "210", "S2": "320"}'],
  ['@pytest.mark.parametrize("station, mean", [("N1", 210.0), ("S2", 320)])'],
  ['    assert means() == [["N1", 210], ["S2", 320]]'],
  ['    assert rows["N1"]["mean"] == pytest.approx(210)'],
])('skill-tells-expected reads %s', (line) => {
  const files = {
    [SKILL]: skill('N1 gives 210.'),
    [TEST]: python('def test_it():', '    assert read()', line),
  };
  expect(rulesSaid(files)).toContain('skill-tells-expected');
});

it("a task's plain name is no sign, nor where the Skill itself is called so", () => {
  expect(said({ [SKILL]: skill('Work on payroll.') }, { subject: 'payroll' })).toEqual([]);
  const named = {
    'skills/station-log/SKILL.md': '---\nname: station-log\ndescription: A.\n---\nstation-log\n',
  };
  expect(rulesSaid(named)).not.toContain('skill-names-task');
});

describe('almost-right/ is looked at as the other folders are', () => {
  const solve = 'almost-right/solve.sh';
  it.each<[string, TaskFiles]>([
    ['carriage-return', { [solve]: 'echo 1\r\necho 2\r\n' }],
    ['unpinned-install', { [solve]: 'pip install pandas\n' }],
    ['unpinned-apt', { [solve]: 'apt-get install -y jq\n' }],
    ['piped-installer', { [solve]: 'curl -LsSf https://example.org/install.sh | sh\n' }],
    ['answer-in-context', { 'almost-right/rates.csv': LONG, 'environment/copy.csv': LONG }],
    ['skill-holds-task-file', { 'almost-right/rates.csv': LONG, 'skills/averages/rates.csv': LONG }],
    [
      'absent-content',
      {
        'almost-right/a.bin': `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 4\n`,
      },
    ],
    ['secret', { [solve]: `${['ghp', 'Q7vRz2LmXk9TbYw4Nc8HsJ5dFg3aPeU6oKiB'].join('_')}\n` }],
  ])('%s', (rule, files) => {
    expect(rulesSaid(files)).toEqual([rule]);
  });
});

it("line ends of Windows in a Skill's script are told", () => {
  expect(said({ 'skills/averages/scripts/mean.sh': 'echo 1\r\n' })).toEqual([
    expect.stringMatching(/^carriage-return skills\/averages\/scripts\/mean\.sh:1 warning:/),
  ]);
});

describe('secret', () => {
  // Put together here, so that no line of this file has the shape of a key.
  const key = ['ghp', 'Q7vRz2LmXk9TbYw4Nc8HsJ5dFg3aPeU6oKiB'].join('_');

  it('is named by its kind and its first characters, and never printed whole', () => {
    const lines = said({ 'environment/config.txt': `\ntoken = ${key}\n` });
    expect(lines).toEqual([
      'secret environment/config.txt:2 warning: this looks like a GitHub token: ghp_… (40 characters)',
    ]);
  });

  it.each([['ghp', 'x'.repeat(36)].join('_'), ['ghp', 'exampleexampleexampleexampleexample1'].join('_')])(
    'control: %s is no secret',
    (value) => {
      expect(said({ 'environment/config.txt': `token = ${value}\n` })).toEqual([]);
    },
  );
});

it('a folder of answers that the tests compare with is found in the build context, unless the instruction names it', () => {
  const files = {
    'environment/reference/a.npy': 'x',
    [TEST]: python('def test_it():', '    assert same("/app/reference/a.npy")'),
  };
  expect(rulesSaid(files)).toEqual(['answer-in-context']);
  expect(rulesSaid({ ...files, 'instruction.md': 'Look at reference/ first.\n' })).toEqual([]);
});

it.each([
  ['FROM someone/image:2', 'someone/image:2 is kept by "someone" alone'],
  ['FROM docker.io/someone/image:2', 'is kept by "someone" alone'],
  ['FROM localhost/image:2', 'comes from another registry'],
])('a base of somebody else is told: %s', (from, says) => {
  const found = said({ [DOCKERFILE]: `${from}\nCOPY data.csv /workspace/data.csv\n` });
  expect(found).toHaveLength(1);
  expect(found[0]).toContain(says);
});

it.each(['debian:12', 'docker.io/debian:12', 'library/debian:12', 'python@sha256:0'])(
  'a base of the registry itself is not: %s',
  (name) => {
    expect(rulesSaid({ [DOCKERFILE]: `FROM ${name}\n` })).toEqual([]);
  },
);

describe('test-depends-on-time', () => {
  const saidOf = (...lines: string[]) =>
    said({ [TEST]: python(...lines, 'def test_x():', '    assert read()') });
  it.each([
    ['import datetime as dt', 'limit = dt.datetime.now()', 'dt.datetime.now()'],
    ['from datetime import datetime as clock', 'limit = clock.utcnow()', 'clock.utcnow()'],
    ['from time import strftime', 'today = strftime("%Y")', 'strftime()'],
    ['import time', 'today = time.localtime()', 'time.localtime()'],
    ['import numpy as np', 'now = np.datetime64("now")', 'np.datetime64()'],
    ['import time, os', 'assert os.path.getmtime(path) > time.time() - 60', 'time.time()'],
  ])('%s; %s', (first, second, what) => {
    expect(saidOf(first, second)).toEqual([
      `test-depends-on-time ${TEST}:2 warning: ${what} asks what time it is: the same workspace may get another verdict later`,
    ]);
  });

  it.each([
    [['from time import perf_counter as tick', 'start = tick()', 'run()', 'took = tick() - start'], 4],
    [['import time', 'a = time.time()', 'run()', 'b = time.time()', 'took = b - a'], 5],
  ])('a duration that is kept is a note', (lines, line) => {
    expect(saidOf(...lines)[0]).toContain(`${TEST}:${line} note: the test measures how long something takes`);
  });

  it.each([
    ['waits', ['import time', 'end = time.time() + 5', 'while time.time() < end:', '    look()']],
    ['prints', ['import time', 'a = time.time()', 'run()', 'print(time.time() - a)']],
    ['a time that is written down', ['import time', 'x = time.strftime("%Y", parsed)', 'y = time.gmtime(0)']],
    ['a name that is like it', ['from clock import time', 'x = time.time()']],
  ])('nothing is said of %s', (_what, lines) => {
    expect(saidOf(...lines)).toEqual([]);
  });
});

describe('test-depends-on-chance', () => {
  const rule = (...lines: string[]) =>
    rulesSaid({ [TEST]: python(...lines, 'def test_x():', '    assert read()') });
  it.each([
    [['from random import shuffle as mix', 'mix(rows)']],
    [['import numpy.random as npr', 'x = npr.normal()']],
    [['from numpy import random', 'x = random.rand(3)']],
    [['import random', 'random.seed()', 'x = random.random()']],
    [['import random, numpy as np', 'random.seed(1)', 'x = np.random.rand(3)']],
    [['import random', 'x = random.Random(None)']],
    [['import torch', 'x = torch.randn(3)']],
    [['import secrets', 'x = secrets.choice(rows)']],
  ])('%s', (lines) => {
    expect(rule(...lines)).toEqual(['test-depends-on-chance']);
  });

  it.each([
    [['import random', 'random.seed(1)', 'x = random.random()']],
    [['import numpy as np', 'np.random.seed(1)', 'x = np.random.rand(3)']],
    [['import random', 'x = random.Random(7).random()']],
    [['import torch', 'torch.manual_seed(1)', 'x = torch.randn(3)']],
    [['from mine import random', 'x = random.choice(rows)']],
  ])('nothing is said of %s', (lines) => {
    expect(rule(...lines)).toEqual([]);
  });

  it('a seed in conftest.py counts for all', () => {
    const seed = python(
      'import random',
      'import pytest',
      '@pytest.fixture(autouse=True)',
      'def seed():',
      '    random.seed(1)',
    );
    const test = python('import random', 'def test_x():', '    assert random.random() < 1');
    expect(rulesSaid({ 'tests/conftest.py': seed, [TEST]: test })).toEqual([]);
  });
});

describe('test-depends-on-order', () => {
  it.each([
    [
      [
        'made = {}',
        'def test_a():',
        '    made["x"] = make()',
        '    assert made',
        'def test_b():',
        '    assert made["x"]',
      ],
    ],
    [
      [
        'made = []',
        'def test_a():',
        '    made.append(1)',
        '    assert made',
        'def test_b():',
        '    assert made',
      ],
    ],
    [['class TestX:', '    def test_a(self):', '        self.__class__.x = make()', '        assert self.x']],
    [['import pytest', '@pytest.mark.first', 'def test_a():', '    assert read()']],
  ])('%s', (lines) => {
    expect(rulesSaid({ [TEST]: python(...lines) })).toEqual(['test-depends-on-order']);
  });

  it.each([
    [
      [
        'made = {}',
        'def cached():',
        '    made["x"] = 1',
        'def test_a():',
        '    assert made',
        'def test_b():',
        '    assert made',
      ],
    ],
    [
      [
        'LIMITS = {}',
        'def test_a():',
        '    rows = {}',
        '    rows["x"] = 1',
        '    assert rows',
        'def test_b():',
        '    assert LIMITS',
      ],
    ],
  ])('nothing is said of %s', (lines) => {
    expect(rulesSaid({ [TEST]: python(...lines) })).toEqual([]);
  });
});

it('a COPY that calls its target an answer which the tests read is told, where the instruction does not name it', () => {
  const files = {
    [DOCKERFILE]: 'FROM skillpair/base:1\nCOPY ["sums.csv", "/app/sums_expected.csv"]\n',
    'environment/sums.csv': 'sum\n7\n',
    [TEST]: python('def test_it():', '    assert read() == open("/app/sums_expected.csv").read()'),
  };
  expect(said(files)).toEqual([
    `answer-in-context ${DOCKERFILE}:2 warning: the tests read sums_expected.csv, which the build context brings into the image: every agent can find it`,
  ]);
  expect(rulesSaid({ ...files, 'instruction.md': 'As in sums_expected.csv.\n' })).toEqual([]);
  expect(rulesSaid({ ...files, [TEST]: python('def test_it():', '    assert read() == "7"') })).toEqual([]);
});

it('every rule has a case here, and no two share a name', () => {
  const names = TASK_RULES.map(({ name }) => name);
  const tried = [
    ...CASES.map(({ rule }) => rule),
    'context-size',
    'git-history',
    'secret',
    'oracle-missing',
    'almost-right-missing',
    'scaffold-left',
  ];
  expect(new Set(names).size).toBe(names.length);
  expect(tried.toSorted()).toEqual(names.toSorted());
});
