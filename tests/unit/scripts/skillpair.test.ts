import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const project = join(import.meta.dirname, '../../..');
const CLI = 'console.log(JSON.stringify(process.argv.slice(2)));\nprocess.exitCode = process.argv.length;\n';

describe('the command skillpair', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'skillpair launcher '));
    for (const name of ['skillpair.mjs', 'pinned-node.mjs']) {
      cpSync(join(project, 'scripts', name), join(root, 'scripts', name));
    }
    mkdirSync(join(root, 'src'));
    writeFileSync(join(root, 'src/cli.ts'), CLI);
    writeFileSync(join(root, 'package.json'), '{ "type": "module" }');
  });
  afterEach(() => rmSync(root, { recursive: true }));

  function installNode() {
    mkdirSync(join(root, 'node_modules'));
    symlinkSync(join(project, 'node_modules/node'), join(root, 'node_modules/node'));
  }

  const start = {
    'as a program': (path: string, args: string[]) => execa(path, args, { reject: false, cwd: '/' }),
    'with a Node': (path: string, args: string[]) =>
      execa(process.execPath, [path, ...args], { reject: false, cwd: '/' }),
  };

  test.each(Object.entries(start))(
    'started %s, hands its arguments and exit code over unchanged',
    async (_, run) => {
      installNode();
      const { stdout, exitCode } = await run(join(root, 'scripts/skillpair.mjs'), [
        'run',
        'two words',
        "it's",
        '$HOME',
        '',
      ]);
      expect(JSON.parse(stdout)).toEqual(['run', 'two words', "it's", '$HOME', '']);
      expect(exitCode).toBe(7);
    },
  );

  test.each(Object.entries(start))('started %s, keeps the memory of Node small', async (_, run) => {
    installNode();
    writeFileSync(join(root, 'src/cli.ts'), 'console.log(JSON.stringify(process.execArgv));\n');
    const { stdout } = await run(join(root, 'scripts/skillpair.mjs'), []);
    expect(JSON.parse(stdout)).toEqual(['--max-semi-space-size=8']);
  });

  test.each(Object.entries(start))('started %s, leaves no core file where it crashes', async (_, run) => {
    installNode();
    writeFileSync(
      join(root, 'src/cli.ts'),
      "import { readFileSync } from 'node:fs';\nconsole.log(readFileSync('/proc/self/limits', 'utf8'));\n",
    );
    const { stdout } = await run(join(root, 'scripts/skillpair.mjs'), []);
    expect(stdout).toMatch(/^Max core file size +0 /m);
  });

  test('finds its project through links, as npm makes them', async () => {
    installNode();
    symlinkSync('../scripts/skillpair.mjs', join(root, 'src/relative-link'));
    symlinkSync(join(root, 'src/relative-link'), join(root, 'absolute-link'));
    const { stdout } = await execa(join(root, 'absolute-link'), ['plan'], { reject: false, cwd: '/' });
    expect(stdout).toBe('["plan"]');
  });

  test.each(Object.entries(start))(
    'started %s without dependencies, says what to do and exits 3',
    async (_, run) => {
      const { stderr, exitCode } = await run(join(root, 'scripts/skillpair.mjs'), ['plan']);
      expect(stderr).toMatch(
        /^error: the dependencies of .* are not installed\nfix: npm --prefix '.*' run setup$/,
      );
      expect(exitCode).toBe(3);
    },
  );
});
