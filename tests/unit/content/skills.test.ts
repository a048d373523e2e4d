import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandBlocks, filesBelow, pathAfter, SKILLS, TASKS, type TaskContent } from './read-content.ts';

/** Decimal numbers of three or more significant digits: expected values, and nothing that a Skill would hold by chance. */
function tellingNumbers(text: string): string[] {
  const numbers = text.match(/\d+\.\d+(?:e[-+]?\d+)?/gi) ?? [];
  return numbers.filter((number) => number.replace(/e.*/i, '').replace(/^[0.]+|\./g, '').length >= 3);
}

/** Words of four or more letters, cut to six so that `readings` and `reading` meet. */
function words(text: string): Set<string> {
  const plain = new Set(
    'file files with from each that this they their have which must written write column columns'.split(' '),
  );
  const found = text.toLowerCase().match(/[a-z]{4,}/g) ?? [];
  return new Set(found.filter((word) => !plain.has(word)).map((word) => word.slice(0, 6)));
}

function sharedShare(description: string, instruction: string): { shared: number; share: number } {
  const offered = words(description);
  const asked = words(instruction);
  const shared = [...offered].filter((word) => asked.has(word)).length;
  return { shared, share: shared / offered.size };
}

describe('the telling numbers of a text', () => {
  it('are those with three significant digits or more', () => {
    expect(tellingNumbers('0.05 1.5 2.50 -50.5 5.11462616e-02 1959')).toEqual([
      '2.50',
      '50.5',
      '5.11462616e-02',
    ]);
  });
});

describe('the project’s Skills', () => {
  it('are each named by a task, and one serves two tasks', () => {
    expect(SKILLS.filter((skill) => skill.servedTasks.length === 0).map((skill) => skill.name)).toEqual([]);
    expect(SKILLS.some((skill) => skill.servedTasks.length === 2)).toBe(true);
  });
});

it('the distractors of a task are two or more, beside a Skill that it needs', () => {
  const distracted = TASKS.filter((task) => task.file.tags.includes('distractors'));
  const counts = distracted.map(({ id }) => {
    const named = SKILLS.filter((skill) => skill.servedTasks.includes(id));
    return { useful: named.filter((skill) => !skill.isDistractor).length, all: named.length };
  });
  expect(counts).toEqual([{ useful: 1, all: 3 }]);
});

describe.each(SKILLS)('Skill $name', (skill) => {
  const files = filesBelow(skill.dir).map((path) => readFileSync(path, 'utf8'));
  const served = TASKS.filter((task) => skill.servedTasks.includes(task.id));

  it('is named after its folder and described within the limit of the format', () => {
    expect(skill.name).toBe(basename(skill.dir));
    expect(skill.description.length).toBeLessThanOrEqual(1024);
  });

  it('holds none of the numbers that the tests expect', () => {
    const expected = served.flatMap((task) =>
      filesBelow(join(task.dir, 'tests')).flatMap((path) => tellingNumbers(readFileSync(path, 'utf8'))),
    );
    const leaked = [...new Set(expected)].filter((number) => files.some((text) => text.includes(number)));
    expect(leaked).toEqual([]);
  });

  it('knows no task: neither its id nor its files nor its folders', () => {
    const telling = TASKS.flatMap((task) => [
      task.id,
      basename(pathAfter('Input', task.instruction)),
      basename(pathAfter('Output', task.instruction)),
    ]);
    const leaked = telling.filter((name) => files.some((text) => text.includes(name)));
    expect([...leaked, ...files.filter((text) => text.includes('/workspace'))]).toEqual([]);
  });
});

describe.each(SKILLS.filter((skill) => skill.isDistractor))('distractor $name', (skill) => {
  it('gives no command that a program would run, so it does no harm', () => {
    expect(commandBlocks(skill.text)).toEqual([]);
  });

  it('is described less in the words of its tasks than the Skill that they need', () => {
    for (const task of TASKS.filter(({ id }) => skill.servedTasks.includes(id))) {
      const needed = SKILLS.filter((other) => other.servedTasks.includes(task.id) && !other.isDistractor);
      const shares = needed.map((other) => sharedShare(other.description, task.instruction).share);
      expect(sharedShare(skill.description, task.instruction).share).toBeLessThan(Math.min(...shares));
    }
  });
});

describe.each(SKILLS.filter((skill) => !skill.isDistractor))('Skill $name', (skill) => {
  const served = TASKS.filter((task) => skill.servedTasks.includes(task.id));

  it('gives one command that a program can run as it stands', () => {
    expect(commandBlocks(skill.text)).toEqual([
      expect.stringMatching(/^python3 "\$SKILL_DIR\/scripts\/\w+\.py" "\$INPUT" "\$OUTPUT"\n$/),
    ]);
  });

  it('is described in the words of the tasks that it serves, at least twice as much as in those of others', () => {
    const match = (task: TaskContent) => sharedShare(skill.description, task.instruction);
    const others = TASKS.filter((task) => !served.includes(task));
    const weakest = Math.min(...served.map((task) => match(task).share));
    const nextBest = Math.max(...others.map((task) => match(task).share));
    expect(Math.min(...served.map((task) => match(task).shared))).toBeGreaterThanOrEqual(4);
    expect(weakest).toBeGreaterThan(2 * nextBest);
  });
});
