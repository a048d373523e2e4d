import { describe, expect, it } from 'vitest';
import { experimentFile, taskFile } from '../../../src/report/project-file.ts';
import { runOf, verdict } from '../../support/synthetic-run.ts';

function lockAt(experimentPath: string, file = 'tasks/A/task.yaml') {
  const { lock } = runOf({ tasks: ['A'] }, () => ({ outcome: verdict(true) }));
  return { ...lock, experimentPath, tasks: lock.tasks.map((task) => ({ ...task, file })) };
}

describe('the experiment file in JUnit', () => {
  it('is relative to the project that the task files tell', () => {
    expect(experimentFile(lockAt('/srv/project/experiments/nightly.yaml'))).toBe('experiments/nightly.yaml');
    expect(experimentFile(lockAt('/srv/project/mine/nightly.yaml'))).toBe('mine/nightly.yaml');
  });

  it('stays as it is when it is relative already', () => {
    expect(experimentFile(lockAt('experiments/nightly.yaml'))).toBe('experiments/nightly.yaml');
  });

  it('is its base name under experiments where the project cannot be told', () => {
    const lock = lockAt('/srv/project/mine/nightly.yaml', '../../srv/project/tasks/A/task.yaml');
    expect(experimentFile(lock)).toBe('experiments/nightly.yaml');
  });
});

describe("a task's file in JUnit", () => {
  it('never leads out of the project', () => {
    expect(taskFile('A', 'tasks/A/task.yaml')).toBe('tasks/A/task.yaml');
    expect(taskFile('A', '../../else/A/task.toml')).toBe('tasks/A/task.toml');
    expect(taskFile('A', undefined)).toBe('tasks/A/task.yaml');
  });
});
