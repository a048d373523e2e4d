import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeRig, type Rig } from '../../support/rig.ts';
import { removeTaskImages } from '../run/docker-rig.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const CLI = join(ROOT, 'scripts', 'skillpair.mjs');
const TASK = 'rt-meters';

/** Containers, snapshots and networks of tries of the task, with those of other tests left out. */
async function left(): Promise<readonly string[]> {
  const names = ['--filter', `name=skillpair-try-${TASK}`, '--format'];
  const lists = await Promise.all([
    execa('docker', ['ps', '-a', ...names, '{{.Names}}']),
    execa('docker', ['network', 'ls', ...names, '{{.Name}}']),
    execa('docker', [
      'images',
      '--filter',
      'label=skillpair.kind=snapshot',
      '--format',
      '{{.ID}} {{.Labels}}',
    ]),
  ]);
  const lines = lists.flatMap(({ stdout }) => stdout.split('\n')).filter((line) => line !== '');
  return lines.filter((line) => line.includes(TASK));
}

describe('try, on a real engine', () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await makeRig();
    const made = await rig.run([
      'task',
      'new',
      TASK,
      '--domain',
      'office-and-white-collar',
      '--capability',
      'meters',
    ]);
    expect(made.stderr).toBe('');
  });
  afterAll(async () => {
    await rig[Symbol.asyncDispose]();
    await removeTaskImages(TASK);
  });
  const start = (args: readonly string[], input?: string) =>
    execa(CLI, ['try', ...args], {
      cwd: rig.dir,
      reject: false,
      ...(input === undefined ? { stdin: 'pipe' } : { input }),
    });
  const script = (folder: string) => readFile(join(rig.dir, 'tasks', TASK, folder, 'solve.sh'), 'utf8');

  it('passes a solution that is piped in, and leaves nothing behind', async () => {
    const { exitCode, stdout, stderr } = await start([`tasks/${TASK}`], await script('solution'));
    expect(stdout).toBe('passed: 5 checks');
    expect(stderr).toContain(`${TASK}, with-skills: in /workspace as agent`);
    expect(exitCode).toBe(0);
    expect(await left()).toEqual([]);
  });

  it('fails nothing at all, naming every check', async () => {
    const { exitCode, stdout } = await start([TASK], '');
    expect(stdout.split('\n')).toHaveLength(6);
    expect(stdout).toContain('failed: 5 of 5 checks\n  test_one_row_for_each_meter_and_month_in_order: ');
    expect(exitCode).toBe(1);
    expect(await left()).toEqual([]);
  });

  it('fails what is almost right, for the reason alone', async () => {
    const { exitCode, stdout } = await start([TASK], await script('almost-right'));
    expect(stdout).toContain('failed: 2 of 5 checks');
    expect(stdout).toContain(
      'test_month_in_which_a_register_starts_again: AssertionError: assert 444 == 445',
    );
    expect(exitCode).toBe(1);
  });

  it.each([
    ['with-skills', 'literal', '/home/agent/.agents/skills/cumulative-registers\n/workspace/.agents/skills'],
    ['with-skills', 'claude-code', '/home/agent/.claude/skills/cumulative-registers'],
    ['no-skills', 'literal', 'none at all'],
  ])('has in condition %s the Skills where %s finds them', async (condition, harness, found) => {
    const look =
      'find / -type d -name cumulative-registers 2>/dev/null | sort | grep . || echo none at all\n';
    const { stdout } = await start([TASK, '--condition', condition, '--harness', harness], look);
    expect(stdout).toContain(found);
  });

  it('starts another shell where one is asked for', async () => {
    const { stdout } = await start([TASK, '--shell', 'python3 -'], 'print(6 * 7)\n');
    expect(stdout).toMatch(/^42\n/);
  });

  it('removes the container on a signal, verifies nothing and ends as that signal does', async () => {
    const running = start([TASK]);
    running.stdin?.write('echo ready; sleep 600\n');
    let said = '';
    for await (const chunk of running.stdout ?? []) {
      said += String(chunk);
      if (said.includes('ready')) break;
    }
    running.kill('SIGTERM');
    const { exitCode, stderr } = await running;
    expect(stderr).toContain('interrupted: the container is removed, and nothing is verified');
    expect(exitCode).toBe(143);
    expect(await left()).toEqual([]);
  });
});
