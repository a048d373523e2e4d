import { beforeAll, describe, expect, it } from 'vitest';
import { readPytestVerdict } from '../../../src/verifier/pytest-report.ts';
import { ended, faultOf, verifierSpec } from '../../unit/verifier/verifier-input.ts';
import { buildVerifierBundle, runVerifier, type VerifierRun } from './verifier-container.ts';

beforeAll(buildVerifierBundle);

function verdictOf(run: VerifierRun, skipped: 'allow' | 'fail' = 'fail') {
  return readPytestVerdict({
    spec: verifierSpec({ kind: 'pytest', skipped }),
    exit: ended(run.exitCode),
    files: run.files,
    nonce: run.nonce,
    outputTail: run.output,
  });
}

const PASSES = 'def test_ok():\n    pass\n';
const FAILS = 'def test_no():\n    assert 1 == 2\n';

describe('the pytest bundle in a container', () => {
  it('passes tests that pass, with helpers and a conftest.py beside them and a package below', async () => {
    const run = await runVerifier({
      '/tests/conftest.py': 'import pytest\n@pytest.fixture\ndef seven():\n    return 7\n',
      '/tests/helper.py': 'VALUE = 7\n',
      '/tests/test_a.py': 'from helper import VALUE\ndef test_ok(seven):\n    assert seven == VALUE\n',
      '/tests/deep/__init__.py': '',
      '/tests/deep/near.py': 'VALUE = 7\n',
      '/tests/deep/test_a.py': 'from .near import VALUE\ndef test_ok(seven):\n    assert seven == VALUE\n',
    });
    expect(verdictOf(run), run.output).toMatchObject({ passed: true, reward: 1 });
    expect(verdictOf(run).tests.map(({ name }) => name)).toEqual([
      'deep/test_a.py::test_ok',
      'test_a.py::test_ok',
    ]);
  });

  it('tells every state of a test, and takes the worst of set-up, call and tear-down', async () => {
    const run = await runVerifier({
      '/tests/test_a.py': `
import pytest
@pytest.fixture
def breaks_before():
    raise RuntimeError('before')
@pytest.fixture
def breaks_after():
    yield
    raise RuntimeError('after')
def test_before(breaks_before): pass
def test_after(breaks_after): pass
def test_skip(): pytest.skip('no reason')
@pytest.mark.xfail(reason='known')
def test_xfail(): assert False
@pytest.mark.xfail(reason='known')
def test_xpass(): pass
@pytest.mark.xfail(strict=True)
def test_strict(): pass
@pytest.mark.parametrize('x', ['a b', 'a::b', 'a[b]', 'a\\nb', 'a b'])
def test_name(x): print('PASSED')
`,
    });
    expect(verdictOf(run).tests.map(({ name, status }) => `${status} ${name.slice(11)}`)).toEqual([
      'failed test_before',
      'failed test_after',
      'skipped test_skip',
      'skipped test_xfail',
      'passed test_xpass',
      'failed test_strict',
      'passed test_name[a b0]',
      'passed test_name[a::b]',
      'passed test_name[a[b]]',
      'passed test_name[a\\nb]',
      'passed test_name[a b1]',
    ]);
    expect(verdictOf(run).passed).toBe(false);
  });

  it.each([
    ['no test is there', { '/tests/readme.txt': '' }, 'pytest collected no tests'],
    [
      'a file imports what is not there',
      { '/tests/test_a.py': 'import os\nimport answer\n' },
      'test_a.py could not be collected (ModuleNotFoundError: No module named \'answer\' (test_a.py, line 2)): the verifier has no module "answer"',
    ],
    [
      'a file reads what is not there',
      { '/tests/test_a.py': 'from pathlib import Path\nPath("/absent").read_text()\n' },
      "test_a.py could not be collected (FileNotFoundError: [Errno 2] No such file or directory: '/absent' (test_a.py, line 2)): import or open",
    ],
    [
      'a file is no Python',
      { '/tests/test_a.py': 'def test_a():\n    assert len(("a")\n' },
      "test_a.py could not be collected (SyntaxError: '(' was never closed (test_a.py, line 2))",
    ],
    [
      'a helper of a file is no Python',
      { '/tests/test_a.py': 'import helper\n', '/tests/helper.py': 'x = = 1\n' },
      'test_a.py could not be collected (SyntaxError: invalid syntax (helper.py, line 1))',
    ],
    [
      'all are skipped',
      { '/tests/test_a.py': 'import pytest\npytestmark = pytest.mark.skip("x")\ndef test_x(): pass\n' },
      'every test was skipped',
    ],
    [
      'pytest fails inside',
      { '/tests/test_a.py': PASSES, '/tests/conftest.py': 'def pytest_collection_modifyitems(): 1 / 0\n' },
      'pytest failed inside: ',
    ],
    [
      'a conftest.py ends it early',
      {
        '/tests/test_a.py': `${PASSES}import pytest\ndef test_b(): pytest.exit("enough")\ndef test_c(): pass\n`,
      },
      'pytest was interrupted',
    ],
    [
      'the process is killed',
      { '/tests/test_a.py': 'import os\ndef test_x(): os.kill(os.getpid(), 9)\n' },
      'the tests did not run to their end: the test process was ended by signal 9',
    ],
    [
      'the process leaves early with 0',
      { '/tests/test_a.py': `${PASSES}import os\ndef test_b(): os._exit(0)\n` },
      'the tests did not run to their end: the test process left with exit code 0 before pytest was done',
    ],
    [
      'it crashes when all tests have passed',
      {
        '/tests/test_a.py': PASSES,
        '/tests/conftest.py': 'import os\ndef pytest_unconfigure(): os.abort()\n',
      },
      'the tests did not run to their end: the test process was ended by signal 6',
    ],
  ])('gives no verdict, and says why, when %s', async (_, files, sentence) => {
    const run = await runVerifier(files as Record<string, string>);
    expect(faultOf(() => verdictOf(run)).message).toContain(sentence);
  });

  it('reads no settings and no modules from the working directory or above it, and no PYTEST_ or PYTHON variables', async () => {
    const run = await runVerifier(
      {
        '/tests/test_a.py': `
import os, sys, pytest
def test_place():
    assert os.getcwd() == '/workspace/deep'
    assert not [p for p in sys.path if p in ('', '.') or p.startswith('/workspace')]
def test_environment():
    assert not [n for n in os.environ if n.startswith('PYTHON') or n in ('PYTEST_ADDOPTS', 'SKILLPAIR_NONCE')]
def test_pytest_is_ours():
    assert pytest.__file__.startswith('/opt/skillpair/verifier/site/')
`,
        '/workspace/deep/pytest.ini': '[pytest]\naddopts = --deselect test_a.py\n',
        '/workspace/deep/conftest.py': 'def pytest_collection_modifyitems(items): items.clear()\n',
        '/workspace/conftest.py': 'def pytest_collection_modifyitems(items): items.clear()\n',
        '/workspace/pyproject.toml': '[tool.pytest.ini_options]\npython_files = "none"\n',
        '/conftest.py': 'def pytest_collection_modifyitems(items): items.clear()\n',
        '/tox.ini': '[pytest]\naddopts = --co\n',
        '/workspace/deep/pytest.py': 'raise SystemExit(0)\n',
        '/root/.local/lib/python3.11/site-packages/usercustomize.py': 'import os; os._exit(0)\n',
      },
      { workingDir: '/workspace/deep' },
    );
    expect(verdictOf(run), run.output).toMatchObject({ passed: true });
    expect(verdictOf(run).tests).toHaveLength(3);
  });

  it('takes the interpreter from its fixed place and no program from PATH', async () => {
    const run = await runVerifier({
      '/tests/test_a.py': FAILS,
      '/usr/local/sbin/python3': '#!/bin/sh\nexit 0\n',
      '/usr/local/sbin/pytest': '#!/bin/sh\nexit 0\n',
    });
    expect(verdictOf(run).passed).toBe(false);
  });
});

describe('programs that tests run', () => {
  it.each([true, false])('can read the nonce nowhere (init process: %s)', async (init) => {
    const nonce = 'a-nonce-to-look-for-0123456789';
    const run = await runVerifier(
      {
        '/tests/look.py': `
import glob
found = []
for path in glob.glob('/proc/[0-9]*/environ') + glob.glob('/proc/[0-9]*/cmdline'):
    try: found.append(open(path, 'rb').read())
    except OSError: pass
SEEN = b'a-nonce-to-look-for' in b'|'.join(found)
if __name__ == '__main__': print(len(found) > 1, SEEN)
`,
        '/tests/test_a.py': `
import subprocess, sys
def test_a_program_of_its_own():
    out = subprocess.run([sys.executable, '/tests/look.py'], capture_output=True, text=True, check=True).stdout
    assert out.split() == ['True', 'False']
def test_the_test_process_itself():
    import look
    assert not look.SEEN
`,
      },
      { init, nonce },
    );
    expect(verdictOf(run), run.output).toMatchObject({ passed: true });
  });

  it('can open neither the memory nor the descriptors of the test process and the reporting process', async () => {
    const run = await runVerifier({
      '/tests/test_a.py': `
import os, subprocess
def test_closed():
    for pid in (os.getpid(), os.getppid()):
        for name in ('mem', 'environ', 'fd/0'):
            tried = subprocess.run(['/bin/sh', '-c', f'exec 3</proc/{pid}/{name}'], capture_output=True)
            assert tried.returncode != 0, (pid, name)
`,
    });
    expect(verdictOf(run), run.output).toMatchObject({ passed: true });
  });

  it('that lost their parent are gone once they have ended', async () => {
    const run = await runVerifier({
      '/tests/test_a.py': `
import os, subprocess, sys, time
def test_orphan():
    out = subprocess.run(['/bin/sh', '-c', 'sleep 0.2 >/dev/null 2>&1 & echo $!'], capture_output=True, text=True)
    limit = time.monotonic() + 20
    while os.path.exists('/proc/' + out.stdout.strip()):
        assert time.monotonic() < limit
        time.sleep(0.01)
`,
    });
    expect(verdictOf(run), run.output).toMatchObject({ passed: true });
  });

  it('that stay behind and rewrite the report are ended before it is written', async () => {
    const watcher = `
import os, time
if os.fork(): os._exit(0)
os.setsid()
if os.fork(): os._exit(0)
while True:
    open('/logs/verifier/report.json', 'w').write('{}')
    open('/logs/verifier/watcher', 'w').write('here')
`;
    const run = await runVerifier({
      '/tests/watcher.txt': watcher,
      '/tests/test_a.py': `
import os, subprocess, sys, time
def test_starts_a_watcher():
    subprocess.run([sys.executable, '/tests/watcher.txt'], check=True)
    while not os.path.exists('/logs/verifier/watcher'): time.sleep(0.01)
def test_no(): assert False
`,
    });
    expect(verdictOf(run).passed).toBe(false);
    expect(verdictOf(run).tests).toHaveLength(2);
  });

  it('that end the reporting process leave no verdict, whatever they wrote', async () => {
    const run = await runVerifier({
      '/tests/test_a.py': `
import json, os, time
def test_x():
    open('/logs/verifier/report.json', 'w').write(json.dumps({'schemaVersion': 1, 'nonce': 'guess'}))
    os.kill(os.getppid(), 9)
    time.sleep(60)
`,
    });
    expect(run.exitCode).toBe(137);
    expect(faultOf(() => verdictOf(run)).reason).toBe('verifier-error');
  });
});
