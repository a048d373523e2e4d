import { describe, expect, it } from 'vitest';
import { agent, readTrajectory } from './harness-reading.ts';

const START = '{"kind":"start","version":"1.0.0","skills":["alpha","beta"]}\n';
const OPENED =
  '{"kind":"skill-opened","name":"The alpha","path":"/home/agent/.agents/skills/alpha/SKILL.md","score":0.4}\n';
const COMMAND = '{"kind":"command","command":"true","exitCode":0,"ms":2,"stdout":"","stderr":""}\n';
const END = '{"kind":"end","ok":true}\n';
const END_FAILED = '{"kind":"end","ok":false}\n';

describe('a trajectory of the literal harness', () => {
  it('tells which Skills were used, by the folder of what was opened', async () => {
    const reading = await readTrajectory('literal', START + OPENED + COMMAND + END, agent('completed', 0));
    expect(reading).toEqual({
      ending: 'completed',
      skillUse: [
        { skill: 'alpha', use: 'used' },
        { skill: 'beta', use: 'not-used' },
      ],
      notices: [],
    });
  });

  it('without an end event is a protocol fault, whatever the exit code', async () => {
    for (const [ending, code] of [
      ['completed', 0],
      ['crashed', 1],
    ] as const) {
      const reading = await readTrajectory('literal', START + COMMAND, agent(ending, code));
      expect(reading.fault).toEqual({
        reason: 'harness-protocol',
        detail: `the literal harness left with exit code ${code} and no end event`,
      });
    }
  });

  it('without an end event is no fault where a limit or memory ended it', async () => {
    for (const ending of ['timed-out', 'out-of-memory', 'killed'] as const) {
      const reading = await readTrajectory('literal', START + OPENED, agent(ending, null));
      expect([reading.ending, reading.fault]).toEqual([ending, undefined]);
    }
  });

  it('is no fault where commands failed and the harness said so', async () => {
    const reading = await readTrajectory('literal', START + END_FAILED, agent('crashed', 1));
    expect([reading.ending, reading.fault]).toEqual(['crashed', undefined]);
  });

  it('is a protocol fault where its end and its exit code disagree', async () => {
    const lying = await readTrajectory('literal', START + END_FAILED, agent('completed', 0));
    expect(lying.fault).toEqual({
      reason: 'harness-protocol',
      detail: 'the literal harness said ok: false and left with exit code 0',
    });
    expect((await readTrajectory('literal', START + END, agent('crashed', 1))).fault?.reason).toBe(
      'harness-protocol',
    );
  });

  it('tells a bundle that does not run on the image', async () => {
    for (const code of [126, 127]) {
      const reading = await readTrajectory('literal', '', agent('crashed', code));
      expect(reading.fault?.reason).toBe('harness-install-failed');
    }
  });

  it('labels the limit of its own as inner', async () => {
    const end = '{"kind":"end","ok":false,"limit":"inner"}\n';
    const reading = await readTrajectory('literal', START + end, agent('crashed', 1));
    expect(reading).toMatchObject({ ending: 'timed-out', limit: 'inner' });
    expect(reading.fault).toBeUndefined();
  });

  it('keeps the outer limit where that fired', async () => {
    const ended = agent('timed-out', null, { limit: 'agent' });
    expect(await readTrajectory('literal', START, ended)).toMatchObject({
      ending: 'timed-out',
      limit: 'agent',
    });
  });

  it('reports a torn last line, keeps the events before it, and claims nothing of unopened Skills', async () => {
    const reading = await readTrajectory(
      'literal',
      `${START}${OPENED}{"kind":"comma`,
      agent('timed-out', null),
    );
    expect(reading.skillUse).toEqual([
      { skill: 'alpha', use: 'used' },
      { skill: 'beta', use: 'cannot-tell' },
    ]);
    expect(reading.notices?.map(({ code }) => code)).toEqual(['trajectory-torn']);
  });

  it('takes a whole last line that only lacks its newline', async () => {
    const reading = await readTrajectory('literal', START + END.trimEnd(), agent('completed', 0));
    expect([reading.fault, reading.notices]).toEqual([undefined, []]);
  });

  it('cannot tell of any Skill where it never started', async () => {
    const reading = await readTrajectory('literal', 'words\n', agent('killed', null));
    expect(reading.skillUse.map(({ use }) => use)).toEqual(['cannot-tell', 'cannot-tell']);
  });

  it('counts lines that are no known event, and changes nothing for them', async () => {
    const odd = `${START}{"kind":"dance"}\nnot JSON\n${OPENED}null\n${END}`;
    const reading = await readTrajectory('literal', odd, agent('completed', 0));
    expect([reading.ending, reading.fault]).toEqual(['completed', undefined]);
    expect(reading.notices).toEqual([
      {
        code: 'trajectory-unknown-events',
        detail: "3 lines of the harness's output are no event that is known",
      },
    ]);
  });

  it('takes an event of 5 MiB', async () => {
    const large = JSON.stringify({ kind: 'command', command: 'x'.repeat(5 * 1024 * 1024) });
    const reading = await readTrajectory(
      'literal',
      `${START}${large}\n${OPENED}${END}`,
      agent('completed', 0),
    );
    expect(reading.skillUse[0]).toEqual({ skill: 'alpha', use: 'used' });
    expect(reading.notices).toEqual([]);
  });
});
