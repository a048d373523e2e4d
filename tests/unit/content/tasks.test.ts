import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DOMAINS } from '../../../src/model/task.ts';
import { commandBlocks, filesBelow, pathAfter, ROOT, SKILLS, TASKS } from './read-content.ts';

const PYTHON_LIBRARY = new Set(
  'argparse csv collections datetime decimal fractions functools math os pathlib re statistics sys zoneinfo'.split(
    ' ',
  ),
);

function pythonFiles(dir: string): string[] {
  return existsSync(dir) ? filesBelow(dir).filter((path) => path.endsWith('.py')) : [];
}

function importedModules(path: string): string[] {
  const lines = readFileSync(path, 'utf8').matchAll(/^(?:import|from) ([a-z_]+)/gm);
  return [...lines].map((match) => match[1] ?? '');
}

describe('the project’s tasks', () => {
  it('come one from each domain', () => {
    expect(TASKS.map((task) => task.file.domain).sort()).toEqual([...DOMAINS].sort());
  });

  it('include one that a Skill makes no difference to and one that a Skill hurts', () => {
    const tagged = (tag: string) =>
      TASKS.filter((task) => task.file.tags.includes(tag)).map((task) => task.id);
    expect(tagged('no-difference')).toContain('payroll-twelve-month');
    expect(tagged('negative-control')).toContain('resistivity-comparison');
  });
});

describe.each(TASKS)('task $id', (task) => {
  const input = pathAfter('Input', task.instruction);
  const output = pathAfter('Output', task.instruction);
  const dataDir = join(task.dir, 'environment/data');

  it('has every file that a trial needs', () => {
    const needed = [
      'environment/Dockerfile',
      'solution/solve.sh',
      'almost-right/solve.sh',
      'tests/test_outputs.py',
      'environment/data/README.md',
    ];
    expect(needed.filter((path) => !existsSync(join(task.dir, path)))).toEqual([]);
  });

  it('belongs to a known domain', () => {
    expect(DOMAINS).toContain(task.file.domain);
  });

  it('names an input that its image has', () => {
    expect(input).toMatch(/^\/workspace\/data\//);
    expect(existsSync(join(dataDir, basename(input)))).toBe(true);
  });

  it('names an output that the verifier is given', () => {
    expect(task.file.verifier.isolation).toBe('outputs');
    expect(task.file.verifier.outputs.some((path) => output.startsWith(`${path}/`))).toBe(true);
  });

  it('offers one obvious attempt, made with a script that its image has', () => {
    const blocks = commandBlocks(task.instruction);
    const script = /\/workspace\/tools\/(\S+\.py)/.exec(blocks.join())?.[1] ?? 'none';
    expect(blocks).toHaveLength(1);
    expect(existsSync(join(task.dir, 'environment/tools', script))).toBe(true);
    expect(blocks[0]).toContain(input);
    expect(blocks[0]).toContain(output);
  });

  it('says nothing of Skills in its instruction or its image', () => {
    const seen = [
      task.instruction,
      ...filesBelow(join(task.dir, 'environment')).map((path) => readFileSync(path, 'utf8')),
    ];
    const names = SKILLS.map((skill) => skill.name);
    for (const text of seen) {
      expect(text).not.toMatch(/\bskills?\b/i);
      expect(names.filter((name) => text.includes(name))).toEqual([]);
    }
  });

  it('is built from the project’s base image by copying alone', () => {
    const steps = readFileSync(join(task.dir, 'environment/Dockerfile'), 'utf8').trim().split('\n');
    expect(steps[0]).toBe('FROM skillpair/base:1');
    expect(steps.slice(1).filter((step) => !step.startsWith('COPY '))).toEqual([]);
  });

  it('tells where its data comes from, under which licence and how it was obtained', () => {
    const readme = readFileSync(join(dataDir, 'README.md'), 'utf8');
    for (const path of filesBelow(dataDir).filter((path) => !path.endsWith('README.md'))) {
      expect(readme).toContain(`# ${basename(path)}`);
      expect(statSync(path).size).toBeLessThan(300_000);
    }
    for (const heading of ['Source', 'Licence', 'Obtained from'])
      expect(readme).toMatch(new RegExp(`^- ${heading}: .`, 'm'));
  });

  it('tells where reference data of its tests comes from', () => {
    const tables = filesBelow(join(task.dir, 'tests')).filter((path) => path.endsWith('.csv'));
    const readme = join(task.dir, 'tests/README.md');
    const text = existsSync(readme) ? readFileSync(readme, 'utf8') : '';
    expect(tables.filter((path) => !text.includes(`# ${basename(path)}`))).toEqual([]);
  });

  it('is verified by four or more tests that look at the answer and run none of the task’s programs', () => {
    const tests = readFileSync(join(task.dir, 'tests/test_outputs.py'), 'utf8');
    expect(tests.match(/^def test_/gm)?.length).toBeGreaterThanOrEqual(4);
    expect(tests).toContain(output);
    expect(tests).not.toMatch(/subprocess|\/solution|\/workspace\/tools|importlib/);
  });

  it('needs nothing but Python’s standard library, and pytest for its tests', () => {
    const programs = ['environment', 'solution', 'almost-right', 'skills', 'tests'].flatMap((part) =>
      pythonFiles(join(task.dir, part)),
    );
    const scripts = task.skillDirs.flatMap(pythonFiles);
    const foreign = [...programs, ...scripts].flatMap((path) =>
      importedModules(path)
        .filter((name) => !PYTHON_LIBRARY.has(name))
        .map((name) => `${path.slice(ROOT.length + 1)}: ${name}`),
    );
    expect(foreign.filter((line) => !/tests\/test_\w+\.py: pytest$/.test(line))).toEqual([]);
  });
});
