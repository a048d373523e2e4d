import { describe, expect, it } from 'vitest';
import type { HarnessReading } from '../../../../src/harness/harness.ts';
import type { HarnessManifest } from '../../../../src/model/harness.ts';
import { agent } from '../harness-reading.ts';
import { lines, noticeCodes, readProgram } from '../program-fixture.ts';

type Events = readonly unknown[];

/** How one program writes what the cases are made of; `undefined` where it cannot. */
export interface ProgramWords {
  readonly kind: HarnessManifest['trajectory'];
  readonly start: Events;
  /** A call of its shell and the answer. */
  readonly shell: (command: string, output?: string) => Events;
  /** The call alone. */
  readonly callOnly: (command: string) => Events;
  readonly text: (text: string) => Events;
  /** The end, all well; `finalText` where the end carries it. */
  readonly success: (finalText: string) => Events;
  /** An end that calls itself one and carries an error flag, without a reason. */
  readonly flagged: Events;
  /** A failed turn that names the provider's trouble. */
  readonly failedTurn: Events;
  /** A failed turn that names a trouble of the program's own. */
  readonly failedInside: Events;
  /** A note that a request is made again. */
  readonly retry: ((attempt: number) => Events) | undefined;
  /** The end after a provider's 401. */
  readonly refusedKey: Events;
  /** The end after a provider's 429. */
  readonly refusedRate: Events;
  readonly unknown: unknown;
}

function ofTask({ skillUse }: HarnessReading) {
  return skillUse.filter(({ origin }) => origin === 'task');
}

/** The cases of scenario S11 in one program's event shape. */
export function lyingCases(words: ProgramWords): void {
  const {
    kind,
    start,
    shell,
    callOnly,
    text,
    success,
    flagged,
    failedTurn,
    failedInside,
    retry,
    refusedKey,
  } = words;
  const read = (events: Events, left = {}) => readProgram(kind, lines(...events), left);
  const worked = [...start, ...shell('echo 42 > answer.txt')];

  describe(`the ends of ${kind}`, () => {
    it('is completed after a tool call and an honest end', async () => {
      const reading = await read([...worked, ...success('Done.')]);
      expect([reading.ending, reading.fault, noticeCodes(reading)]).toEqual(['completed', undefined, []]);
    });

    it('is a provider error where a success carries an error flag and the exit code is 0', async () => {
      const reading = await read([...start, ...flagged]);
      expect([reading.ending, reading.fault?.reason]).toEqual(['crashed', 'provider-error']);
    });

    it('is by its reason where a turn failed and the exit code is 0, and never completed', async () => {
      const provider = await read([...worked, ...failedTurn]);
      expect([provider.ending, provider.fault?.reason]).toEqual(['crashed', 'provider-error']);
      const inside = await read([...worked, ...failedInside]);
      expect([inside.ending, inside.fault?.reason]).toEqual(['crashed', 'harness-protocol']);
    });

    it('is a protocol fault without an end, although the exit code is 0', async () => {
      const reading = await read(worked);
      expect([reading.ending, reading.fault?.reason]).toEqual(['crashed', 'harness-protocol']);
    });

    it('is the limit where it went silent after a tool answered, and no fault', async () => {
      const limit = agent('timed-out', null, { limit: 'agent', durationMs: 600_000 });
      const reading = await read([...worked], { agent: limit });
      expect([reading.ending, reading.limit, reading.fault]).toEqual(['timed-out', 'agent', undefined]);
    });

    it('is a protocol fault with its words where it ended at a closed stdin before anything', async () => {
      const left = { agent: agent('crashed', 1), stderr: 'noise\nError: no input on stdin\n' };
      const reading = await read([], left);
      expect(reading.fault?.reason).toBe('harness-protocol');
      expect(reading.fault?.detail).toContain('no input on stdin');
    });

    it('is completed and flagged where no tool was called: idleness is scored', async () => {
      const reading = await read([...start, ...text('Nothing to do.'), ...success('Nothing to do.')]);
      expect([reading.ending, reading.fault, noticeCodes(reading)]).toEqual([
        'completed',
        undefined,
        ['no-tool-use'],
      ]);
    });

    it('is a limit of the provider where its refusal is passed on as the answer', async () => {
      const answer = 'API Error: 429 {"type":"error","error":{"type":"rate_limit_error"}}';
      const reading = await read([...start, ...text(answer), ...success(answer)]);
      expect([reading.ending, reading.fault?.reason]).toEqual(['crashed', 'provider-limit']);
      const told = await read([
        ...worked,
        ...text('The API returns 429.'),
        ...success('The API returns 429.'),
      ]);
      expect([told.ending, told.fault]).toEqual(['completed', undefined]);
    });

    it('is the key or the limit where the provider refused for those', async () => {
      const left = { agent: agent('crashed', 1) };
      expect((await read([...start, ...refusedKey], left)).fault?.reason).toBe('provider-auth');
      expect((await read([...start, ...words.refusedRate], left)).fault?.reason).toBe('provider-limit');
    });

    it('reports a torn last line and keeps the events before it', async () => {
      const stream = lines(...worked) + JSON.stringify(success('Done.')[0]).slice(0, -9);
      const reading = await readProgram(kind, stream, { agent: agent('timed-out', null) });
      expect([reading.ending, noticeCodes(reading)]).toEqual(['timed-out', ['trajectory-torn']]);
      expect([reading.trajectory?.counts.toolCalls, reading.trajectory?.whole]).toEqual([1, false]);
      expect(reading.skillUse[0]?.use).toBe('cannot-tell');
    });

    it('takes an event of 5 MiB and keeps a part of it', async () => {
      const big = 'x'.repeat(5 * 1024 * 1024);
      const reading = await read([...start, ...shell('cat big.txt', big), ...success('Done.')]);
      expect([reading.ending, reading.fault, noticeCodes(reading)]).toEqual(['completed', undefined, []]);
      expect(reading.trajectory?.counts.clippedTexts).toBe(1);
      expect(JSON.stringify(reading.trajectory).length).toBeLessThan(100_000);
    });

    it('counts an unknown event and changes nothing for it', async () => {
      const reading = await read([...worked, words.unknown, ...success('Done.')]);
      expect([reading.ending, reading.fault]).toEqual(['completed', undefined]);
      expect(noticeCodes(reading)).toEqual(['trajectory-unknown-events']);
      expect(reading.trajectory?.counts.unknownEvents).toBe(1);
    });

    it('tells a bundle that does not run on the image', async () => {
      const reading = await read([], { agent: agent('crashed', 127) });
      expect(reading.fault?.reason).toBe('harness-install-failed');
    });

    it('says nothing of a call whose answer never came', async () => {
      const events = [...start, ...callOnly('cat /home/agent/.claude/skills/alpha/SKILL.md')];
      const reading = await read(events, { agent: agent('timed-out', null) });
      expect(ofTask(reading).map(({ use }) => use)).toEqual(['cannot-tell', 'not-used']);
    });

    if (retry === undefined) return;

    it('is completed where five retries came before the answer', async () => {
      const retries = [1, 2, 3, 4, 5].flatMap(retry);
      const reading = await read([...start, ...retries, ...shell('true'), ...success('Done.')]);
      expect([reading.ending, reading.fault]).toEqual(['completed', undefined]);
    });

    it('is a protocol fault where the stream ends after retries, and names the last', async () => {
      const retries = [1, 2, 3, 4, 5].flatMap(retry);
      const reading = await read([...worked, ...retries], { agent: agent('crashed', 1) });
      expect(reading.fault?.reason).toBe('harness-protocol');
      expect(reading.fault?.detail).toMatch(/before that: /);
    });

    it('is a provider error where the time limit fired while it asked again', async () => {
      const retries = [1, 2].flatMap(retry);
      const reading = await read([...start, ...retries], {
        agent: agent('timed-out', null, { limit: 'agent' }),
      });
      expect([reading.ending, reading.limit, reading.fault?.reason]).toEqual([
        'timed-out',
        'agent',
        'provider-error',
      ]);
    });
  });

  describe(`Skill use in ${kind}`, () => {
    const use = async (...events: Events) => {
      const reading = await read([...start, ...events, ...success('Done.')]);
      return ofTask(reading).map(({ stages }) => [stages?.opened, stages?.scriptRun]);
    };
    const dir = '/home/agent/.claude/skills/alpha';

    it('is seen in commands that read or run a file of a Skill', async () => {
      expect(await use(...shell(`cat ${dir}/SKILL.md`, '# alpha'))).toEqual([
        ['yes', 'no'],
        ['no', 'no'],
      ]);
      expect(await use(...shell(`python3 ${dir}/scripts/make.py out`, 'made'))).toEqual([
        ['yes', 'yes'],
        ['no', 'no'],
      ]);
    });

    it('is not seen in a listing of files', async () => {
      expect(await use(...shell(`ls -R ${dir} && find / -name SKILL.md`, `${dir}/SKILL.md`))).toEqual([
        ['no', 'no'],
        ['no', 'no'],
      ]);
    });

    it('is not seen in a read of a file that is not there', async () => {
      const answer = `cat: ${dir}/SKILL.md: No such file or directory`;
      expect((await use(...shell(`cat ${dir}/SKILL.md`, answer)))[0]).toEqual(['no', 'no']);
    });
  });
}
