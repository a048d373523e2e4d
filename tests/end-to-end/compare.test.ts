import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeRig, NO_ENGINE, type Rig } from '../support/rig.ts';
import { storeRun } from '../support/stored-run.ts';
import { parseStrictly } from '../support/strict-xml.ts';
import { runOf, verdict } from '../support/synthetic-run.ts';

const TASKS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'];

async function withRuns(passes: Readonly<Record<string, string>>): Promise<Rig> {
  const rig = await makeRig();
  for (const [name, passing] of Object.entries(passes)) {
    const record = runOf({ tasks: TASKS, seed: name.length }, ({ task, condition }) => ({
      outcome: verdict(condition === 'with-skills' && passing.includes(task)),
    }));
    await storeRun(join(rig.dir, 'runs', name), record);
  }
  return rig;
}

describe('compare, without an engine', () => {
  test('tells what moved next to what changed, and ends with 0 where that may be chance', async () => {
    await using rig = await withRuns({ first: 'abcdefgh', second2: 'bcdefghi' });
    const { code, stdout, stderr } = await rig.run(['compare', 'first', 'second2'], NO_ENGINE);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('lost (1):\n  literal, with-skills, a: 100.0 % of 1 -> 0.0 % of 1\n');
    expect(stdout).toContain('won (1):\n  literal, with-skills, i: 0.0 % of 1 -> 100.0 % of 1\n');
    expect(stdout).toContain('same: 18 of 20 tasks and arms');
    expect(stdout).toMatch(/changed:\n {2}the seed changed \(5 -> 7\)/);
  });

  test('ends with 1 where a figure is worse beyond chance, or with --fail-on lost where a task was lost', async () => {
    await using rig = await withRuns({ best: 'abcdefghij', worst: 'ab', nearly: 'abcdefghi' });
    const code = async (...args: string[]) => (await rig.run(['compare', ...args], NO_ENGINE)).code;
    expect(await code('best', 'worst')).toBe(1);
    expect(await code('worst', 'best')).toBe(0);
    expect(await code('best', 'worst', '--fail-on', 'never')).toBe(0);
    expect(await code('best', 'nearly')).toBe(0);
    expect(await code('best', 'nearly', '--fail-on', 'lost')).toBe(1);
  });

  test('writes JUnit with a failure for each lost task, and the whole as JSON', async () => {
    await using rig = await withRuns({ best: 'abcdefghij', nearly: 'abcdefgh' });
    const words = ['compare', 'best', 'nearly', '--junit', 'compare.xml', '--json'];
    const { stdout } = await rig.run(words, NO_ENGINE);
    const xml = await rig.read('compare.xml');
    expect((await parseStrictly(xml)).$).toMatchObject({ tests: '20', failures: '2', errors: '0' });
    expect(xml.match(/classname="compare.literal.with-skills" name="[ij]"/g)).toHaveLength(2);
    expect(JSON.parse(stdout)).toMatchObject({ schemaVersion: 1, before: 'synthetic-1', otherTasks: [] });
  });

  test('refuses runs that have nothing in common, and runs that are not there', async () => {
    await using rig = await withRuns({ one: 'a' });
    const others = runOf({ tasks: ['other'] }, () => ({ outcome: verdict(true) }));
    await storeRun(join(rig.dir, 'runs', 'two'), others);
    const apart = await rig.run(['compare', 'one', 'two'], NO_ENGINE);
    expect([apart.code, apart.stderr]).toEqual([
      2,
      expect.stringContaining('no task with a verdict in common'),
    ]);
    const absent = await rig.run(['compare', 'one', 'three'], NO_ENGINE);
    expect([absent.code, absent.stderr]).toEqual([2, expect.stringContaining('there is no run "three"')]);
  });
});
