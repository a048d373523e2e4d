import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { describe, expect, it } from 'vitest';
import { isDead, isThisProcess, thisProcess } from '../../../src/base/lock-file.ts';
import { lifeText, type ProcessLife, processLife } from '../../../src/base/process-life.ts';

const own = processLife('self') as ProcessLife;
/** This process's number and host, in another life. */
const owner = (life: Partial<ProcessLife>) => ({
  pid: process.pid,
  host: hostname(),
  life: lifeText({ ...own, ...life }),
});

describe('the owner of a lock or of an engine object', () => {
  it('is alive while its process runs, and dead when that has gone', async () => {
    const child = spawn('sleep', ['60']);
    const life = processLife(child.pid ?? 0) as ProcessLife;
    const living = { pid: child.pid ?? 0, host: hostname(), life: lifeText(life) };
    expect(isDead(living)).toBe(false);
    const gone = once(child, 'close');
    child.kill('SIGKILL');
    await gone;
    expect(isDead(living)).toBe(true);
  });

  it('is dead when another process has its number', () => {
    expect(isDead(owner({}))).toBe(false);
    expect(isDead(owner({ start: String(Number(own.start) - 1) }))).toBe(true);
  });

  it('is dead when it only waits for its parent to notice', async () => {
    // The parent never reaps: it has become a program that does not know of children.
    const parent = spawn('bash', ['-c', 'sleep 0 & echo $!; exec sleep 60'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [said] = (await once(parent.stdout, 'data')) as [Buffer];
    const pid = Number(said.toString());
    for (let look = 0; look < 100_000 && processLife(pid) !== 'ended'; look++)
      await new Promise((resolve) => setImmediate(resolve));
    expect(process.kill(pid, 0)).toBe(true);
    expect(isDead({ pid, host: hostname(), life: lifeText({ ...own, start: '1' }) })).toBe(true);
    parent.kill('SIGKILL');
  });

  it('is dead when the machine was started anew since', () => {
    expect(isDead(owner({ boot: 'another', start: '1' }))).toBe(true);
  });

  it.each<[string, Partial<ProcessLife>]>([
    ['on another machine of the same name', { machine: 'another', start: '1' }],
    ['in another container of this machine, with its name', { namespace: '1', start: '1' }],
    [
      'of a machine that has no id, after another start of something',
      { machine: '', boot: 'another', start: '1' },
    ],
  ])('counts as alive %s: it cannot be seen from here', (_where, life) => {
    expect(isDead(owner(life))).toBe(false);
  });

  it('counts as alive on another host, and without a life by its number alone', () => {
    expect(isDead({ pid: 2 ** 30, host: 'elsewhere' })).toBe(false);
    expect(isDead({ pid: 2 ** 30, host: hostname() })).toBe(true);
    expect(isDead({ pid: process.pid, host: hostname() })).toBe(false);
  });

  it('is this process only in this life', () => {
    expect(isThisProcess(thisProcess())).toBe(true);
    expect(isThisProcess(owner({ start: '1' }))).toBe(false);
  });
});
