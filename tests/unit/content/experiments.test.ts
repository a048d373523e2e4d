import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { Experiment } from '../../../src/model/experiment.ts';
import { ROOT, TASKS } from './read-content.ts';

function read(name: string): Experiment {
  return Experiment.parse(parse(readFileSync(join(ROOT, 'experiments', name), 'utf8')));
}

describe('the demo', () => {
  it('compares the literal harness over the eight tasks, in each condition', () => {
    const demo = read('demo.yaml');
    expect(demo.configurations.map((entry) => entry.harness)).toEqual(['literal']);
    expect(demo.conditions).toEqual(['no-skills', 'with-skills']);
    expect(demo.trials).toBe(1);
    expect(demo.tasks.include).toHaveLength(8);
    expect(TASKS.map((task) => task.id)).toEqual(expect.arrayContaining(demo.tasks.include));
  });
});

describe('the soundness check', () => {
  it('runs the reference solution and no work at all over every task', () => {
    const check = read('oracle.yaml');
    expect(check.configurations.map((entry) => entry.harness)).toEqual(['oracle', 'nop']);
    expect(check.tasks).toEqual({ folders: ['../tasks'], include: ['*'], exclude: [] });
  });
});
