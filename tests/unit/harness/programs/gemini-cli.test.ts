import { describe, expect, it } from 'vitest';
import { agent } from '../harness-reading.ts';
import { lines, noticeCodes, readProgram, skillNamed } from '../program-fixture.ts';
import { geminiWords, piece, result, toolResult, toolUse } from './gemini-cli-words.ts';

const read = (events: readonly unknown[], left = {}) =>
  readProgram('gemini-cli', lines(...geminiWords.start, ...events), left);
const WORK = geminiWords.shell('echo 42 > answer.txt');

describe('what Gemini CLI leaves', () => {
  it('becomes a trajectory whose final text is put together from pieces', async () => {
    const events = [piece('I wr'), piece('ite it.'), ...WORK, piece('Do'), piece('ne.'), result()];
    const { trajectory, ending } = await read(events);
    expect(ending).toBe('completed');
    expect(trajectory?.steps.map((step) => (step.kind === 'tool-call' ? step.name : step.text))).toEqual([
      'Do it.',
      'I write it.',
      'run_shell_command',
      'Done.',
    ]);
    expect([trajectory?.finalText, trajectory?.model, trajectory?.session]).toEqual([
      'Done.',
      'gemini-2.5-pro',
      's-1',
    ]);
  });

  it('has thought tokens in the total only: they are a part of what was written', async () => {
    // 2116 - 2001 = 115 written, of which 101 are not thoughts.
    const { trajectory } = await read([...WORK, result()]);
    expect(trajectory?.usage).toEqual({ input: 2001, cachedInput: 600, output: 115, reasoning: 14 });
  });

  it('has no tokens where no request was answered, whatever zeros it writes', async () => {
    const stats = { total_tokens: 0, input_tokens: 0, output_tokens: 0, cached: 0 };
    const { trajectory } = await read([result({ status: 'error', stats })]);
    expect(trajectory?.usage).toEqual({});
  });

  it('is by its exit code modulo 256 where its error names no status', async () => {
    const end = result({ status: 'error', error: { type: 'unknown', message: 'something went wrong' } });
    const reasons = [145, 147, 173, 244, 247, 17, 1].map(async (code) => {
      const reading = await read([end], { agent: agent('crashed', code) });
      return reading.fault?.reason;
    });
    expect(await Promise.all(reasons)).toEqual([
      'provider-auth',
      'provider-auth',
      'provider-limit',
      'provider-error',
      'provider-error',
      'provider-error',
      'harness-protocol',
    ]);
  });

  it('is by its exit code where it ended before it wrote anything', async () => {
    const ended = async (code: number, stderr: string) =>
      await readProgram('gemini-cli', '', { agent: agent('crashed', code), stderr });
    expect((await ended(41, 'Invalid auth method selected.')).fault?.reason).toBe('provider-auth');
    expect(await ended(53, 'Reached max session turns')).toMatchObject({
      ending: 'timed-out',
      limit: 'inner',
    });
    expect((await ended(55, 'the folder is not trusted')).fault).toMatchObject({
      reason: 'harness-protocol',
      detail: expect.stringContaining('not trusted'),
    });
    const old = 'SyntaxError: Invalid regular expression flags';
    expect((await ended(1, old)).fault?.reason).toBe('harness-install-failed');
  });

  it('is an inner limit where its own turns ran out', async () => {
    const error = { type: 'FatalTurnLimitedError', message: 'Reached max session turns' };
    const reading = await read([...WORK, result({ status: 'error', error })], {
      agent: agent('crashed', 53),
    });
    expect([reading.ending, reading.limit, reading.fault]).toEqual(['timed-out', 'inner', undefined]);
  });

  it('is no completed run where TERM made it leave with 0', async () => {
    const reading = await read(WORK, { agent: agent('timed-out', 0, { limit: 'agent' }) });
    expect([reading.ending, reading.fault]).toEqual(['timed-out', undefined]);
  });

  it('counts a tool that it marks as failed', async () => {
    const failed = [
      toolUse('x', 'read_file', { file_path: 'a' }),
      { type: 'tool_result', tool_id: 'x', status: 'error', error: { type: 'E', message: 'not found' } },
    ];
    const { trajectory } = await read([...failed, result()]);
    expect(trajectory?.counts.failedToolCalls).toBe(1);
    expect(trajectory?.steps.at(-1)).toMatchObject({ result: 'not found', failed: true });
  });

  it('is silent for the time since its last event', async () => {
    const at = (second: string) => `2026-11-29T10:00:${second}.000Z`;
    const events = [toolUse('c', 'glob', {}, at('20')), toolResult('c', 'x', { timestamp: at('21') })];
    const limit = agent('timed-out', null, { limit: 'agent', durationMs: 60_000 });
    expect((await read(events, { agent: limit })).notices).toEqual([
      { code: 'silent-time', detail: 'no event in the last 39 s before the time limit' },
    ]);
  });

  it('notes nothing else in an ordinary run', async () => {
    expect(noticeCodes(await read([...WORK, piece('Done.'), result()]))).toEqual([]);
  });
});

describe('Skills in what Gemini CLI leaves', () => {
  const skills = [skillNamed('alpha', 'alpha-title'), skillNamed('beta')];
  const used = async (events: readonly unknown[]) => {
    const { skillUse } = await read([...events, result()], { skills });
    return skillUse.map(({ skill, use }) => [skill, use]);
  };

  it('are opened by activate_skill with the title, or by reading files', async () => {
    const native = [
      toolUse('c', 'activate_skill', { name: 'alpha-title' }),
      toolResult('c', '<activated_skill name="alpha-title">'),
    ];
    expect(await used(native)).toEqual([
      ['alpha', 'used'],
      ['beta', 'not-used'],
    ]);
    const file = [
      toolUse('c', 'read_file', { absolute_path: '/root/.agents/skills/beta/SKILL.md' }),
      toolResult('c', 'x'),
    ];
    expect((await used(file))[1]).toEqual(['beta', 'used']);
    const many = [
      toolUse('c', 'read_many_files', { paths: ['.gemini/skills/*/SKILL.md'] }),
      toolResult('c', 'x'),
    ];
    expect(await used(many)).toEqual([
      ['alpha', 'used'],
      ['beta', 'used'],
    ]);
  });

  it('are not opened by list_directory or glob', async () => {
    const listed = [
      toolUse('c', 'list_directory', {
        dir_path: '/root/.agents/skills/alpha',
        path: '/root/.agents/skills/alpha',
      }),
      toolResult('c', 'SKILL.md'),
    ];
    expect((await used(listed))[0]).toEqual(['alpha', 'not-used']);
  });

  it('are opened from the folder that a command is given', async () => {
    const command = [
      toolUse('c', 'run_shell_command', { command: 'cat SKILL.md', dir_path: '.agents/skills/beta' }),
      toolResult('c', '# beta'),
    ];
    expect((await used(command))[1]).toEqual(['beta', 'used']);
  });
});
