import { describe, expect, it } from 'vitest';
import { TaskFile } from '../../../src/load/task-file.ts';

const BASE = {
  schemaVersion: 1,
  title: 'T',
  domain: 'cybersecurity',
  capability: 'c',
  difficulty: 'core',
};

const issues = (more: object) => {
  const parsed = TaskFile.safeParse({ ...BASE, ...more });
  return parsed.success
    ? []
    : parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
};

describe('estimates', () => {
  it('are minutes of an expert and of a junior, each as far as it is known', () => {
    const estimates = { expertMinutes: 20, juniorMinutes: 90.5 };
    expect(TaskFile.parse({ ...BASE, estimates }).estimates).toEqual(estimates);
    expect(TaskFile.parse({ ...BASE, estimates: { expertMinutes: 20 } }).estimates).toEqual({
      expertMinutes: 20,
    });
    expect(TaskFile.parse(BASE).estimates).toBeUndefined();
  });

  it.each([0, -5, '20m'])('%j is no number of minutes', (juniorMinutes) => {
    expect(issues({ estimates: { juniorMinutes } })).toEqual([
      expect.stringMatching(/^estimates\.juniorMinutes: /),
    ]);
  });
});

describe('durations', () => {
  it.each([
    ['500ms', 500],
    ['90s', 90_000],
    ['10m', 600_000],
    ['2h', 7_200_000],
    ['1.5h', 5_400_000],
  ])('%s', (text, milliseconds) => {
    expect(TaskFile.parse({ ...BASE, agent: { timeout: text } }).agent.timeout).toBe(milliseconds);
  });

  it.each(['10', '10 m', '-1s', '1d', '', '1e3s'])('%j is none', (text) => {
    expect(issues({ agent: { timeout: text } })).toEqual([
      'agent.timeout: must be a duration such as 500ms, 90s, 10m or 2h\nwrite a number and its unit, such as 10m',
    ]);
  });

  it.each(['0s', '0.4ms', '9999h'])('%s is too short or too long', (text) => {
    expect(issues({ agent: { timeout: text } })).toEqual(['agent.timeout: must lie between 1ms and 24 days']);
  });
});

describe('sizes are powers of 1024 in every spelling', () => {
  it.each([
    ['1KiB', 1024],
    ['1K', 1024],
    ['1KB', 1024],
    ['512MiB', 536_870_912],
    ['2G', 2_147_483_648],
    ['2GB', 2_147_483_648],
    ['1.5GiB', 1_610_612_736],
  ])('%s', (text, bytes) => {
    expect(TaskFile.parse({ ...BASE, environment: { memory: text } }).environment.memory).toBe(bytes);
  });

  it.each(['1', 'G', '1XB', '-1G'])('%j is none', (text) => {
    expect(issues({ environment: { memory: text } })).toEqual([
      'environment.memory: must be a size such as 512MiB, 1GiB or 2G\nwrite a number and its unit, such as 1GiB',
    ]);
  });
});

describe('paths and names', () => {
  it.each(['/', 'out', '/a/../b', '/..', '//a'])('the output %j is refused', (path) => {
    expect(issues({ verifier: { outputs: [path] } })).toHaveLength(1);
  });

  it.each(['/workspace/out', '/root/a b.txt', '/app/..data', '/.hidden'])(
    'the output %j is accepted',
    (path) => {
      expect(issues({ verifier: { outputs: [path] } })).toEqual([]);
    },
  );

  it.each(['/abs', '../up', 'a/../../b'])('the Dockerfile %j is refused', (path) => {
    expect(issues({ environment: { dockerfile: path } })).toHaveLength(1);
  });

  it.each(['..', '../other', 'a/b', '.hidden', ''])('the Skill %j is refused', (name) => {
    expect(issues({ skills: [name] })).toHaveLength(1);
  });
});
