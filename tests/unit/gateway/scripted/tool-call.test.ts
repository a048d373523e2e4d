import { describe, expect, it } from 'vitest';
import { drained, readAnswer } from './support/read-answer.ts';
import { request } from './support/requests.ts';
import { ask } from './support/script.ts';

const text = { type: 'string' };
const TERMINAL = {
  type: 'object',
  properties: {
    command: { ...text, description: 'The command' },
    is_input: { type: 'boolean', default: false },
    timeout: { anyOf: [{ type: 'number' }, { type: 'null' }] },
    security_risk: { ...text, enum: ['UNKNOWN', 'LOW', 'MEDIUM', 'HIGH'] },
    summary: text,
  },
  required: ['command', 'security_risk'],
};
const FINISH = {
  type: 'object',
  properties: { message: text, security_risk: TERMINAL.properties.security_risk },
  required: ['message', 'security_risk'],
};
const LISTING =
  '<available_skills><skill><name>one</name><description>d</description><location>/s/one/SKILL.md</location></skill></available_skills>';

describe('OpenHands', () => {
  const answer = async (turn: object, rounds: { back: string }[] = []) => {
    const asked = request('openai-chat', {
      instruction: 'Go.',
      listing: LISTING,
      tools: { terminal: TERMINAL, finish: FINISH },
      rounds,
    });
    return readAnswer('openai-chat', await ask([{ turns: [turn] }], asked));
  };

  it('gets what its terminal requires besides the command', async () => {
    const input = {
      command: 'true',
      security_risk: 'LOW',
      summary: 'Do the next step of the script',
      timeout: 600,
    };
    expect((await answer({ shell: 'true' })).calls).toEqual([{ name: 'terminal', input }]);
  });

  it('opens a Skill by reading its file', async () => {
    expect((await answer({ openSkill: 'one' })).calls).toMatchObject([
      { name: 'terminal', input: { command: 'cat /s/one/SKILL.md' } },
    ]);
  });

  it('ends by its finish tool, at a finish and after the last turn', async () => {
    const finish = (message: string) => ({
      text: '',
      calls: [{ name: 'finish', input: { message, security_risk: 'LOW' } }],
    });
    expect(await answer({ text: 'All is well.', finish: true })).toMatchObject(finish('All is well.'));
    expect(await answer({ shell: 'true' }, [{ back: 'ok' }])).toMatchObject(finish('Done.'));
  });
});

describe('Codex in code mode', () => {
  const exec = { type: 'custom', name: 'exec', description: 'Runs JavaScript', format: { type: 'text' } };
  const input = [
    { type: 'additional_tools', tools: [exec, { type: 'custom', name: 'wait' }] },
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Go.' }] },
  ];
  const answer = async (turn: object, extra: object) =>
    readAnswer(
      'openai-responses',
      await ask([{ turns: [turn] }], request('openai-responses', { instruction: 'x', tools: {}, extra })),
    );

  it('gets the command in JavaScript', async () => {
    const { calls } = await answer({ shell: 'echo "a" > b' }, { input });
    expect(calls).toMatchObject([
      {
        name: 'exec',
        input: expect.stringContaining(
          'tools.exec_command({ cmd: "echo \\"a\\" > b", yield_time_ms: 30000 })',
        ),
      },
    ]);
  });

  it('finds the tools of groups, and calls them in their group', async () => {
    const tools = [
      {
        type: 'namespace',
        name: 'shells',
        tools: [
          {
            type: 'function',
            name: 'exec_command',
            parameters: { type: 'object', properties: { cmd: text } },
          },
        ],
      },
      { type: 'web_search' },
    ];
    const asked = request('openai-responses', { instruction: 'x', stream: false, extra: { tools } });
    const { output } = JSON.parse((await drained(await ask([{ turns: [{ shell: 'true' }] }], asked))).text);
    expect(output).toMatchObject([
      { type: 'function_call', name: 'exec_command', namespace: 'shells', arguments: '{"cmd":"true"}' },
    ]);
  });
});

describe('Codex', () => {
  it('is asked again while a command runs; then comes the next turn', async () => {
    const tools = {
      exec_command: {
        type: 'object',
        properties: { cmd: text, yield_time_ms: { type: 'number' } },
        required: ['cmd'],
      },
      write_stdin: {
        type: 'object',
        properties: { session_id: { type: 'number' }, chars: text, yield_time_ms: { type: 'number' } },
      },
    };
    const runs = { back: 'Wall time: 30 seconds\nProcess running with session ID 4711\nOutput:\nhalf' };
    const calls = async (rounds: { back: string }[]) => {
      const asked = request('openai-responses', { instruction: 'Go.', tools, rounds });
      return (
        await readAnswer('openai-responses', await ask([{ turns: [{ shell: 'a' }, { shell: 'b' }] }], asked))
      ).calls;
    };
    const wait = { name: 'write_stdin', input: { session_id: 4711, chars: '', yield_time_ms: 30_000 } };
    expect(await calls([runs])).toEqual([wait]);
    expect(await calls([runs, runs])).toEqual([wait]);
    const over = { back: 'Process exited with code 0\nOutput:\nrest' };
    expect(await calls([runs, runs, over])).toEqual([
      { name: 'exec_command', input: { cmd: 'b', yield_time_ms: 30_000 } },
    ]);
  });
});

describe('a turn', () => {
  it('calls a tool by its own name, with exactly the input', async () => {
    const turn = { tool: { name: 'Read', input: { file_path: '/a', limit: 3 } } };
    const asked = request('anthropic-messages', { instruction: 'Go.' });
    expect((await readAnswer('anthropic-messages', await ask([{ turns: [turn] }], asked))).calls).toEqual([
      { name: 'Read', input: { file_path: '/a', limit: 3 } },
    ]);
  });

  it('runs a list of words where the tool wants one', async () => {
    const shell = {
      type: 'object',
      properties: { command: { type: 'array', items: text } },
      required: ['command'],
    };
    const asked = request('openai-responses', { instruction: 'Go.', tools: { shell } });
    expect(
      (await readAnswer('openai-responses', await ask([{ turns: [{ shell: 'a b' }] }], asked))).calls,
    ).toEqual([{ name: 'shell', input: { command: ['bash', '-lc', 'a b'] } }]);
  });

  it('finds a tool for commands under an unknown name by its parameters', async () => {
    const tools = {
      look: { type: 'object', properties: { path: text } },
      do_it: { type: 'object', properties: { cmd: text } },
    };
    const asked = request('gemini', { instruction: 'Go.', tools });
    expect((await readAnswer('gemini', await ask([{ turns: [{ shell: 'a' }] }], asked))).calls).toEqual([
      { name: 'do_it', input: { cmd: 'a' } },
    ]);
  });

  it('takes a folder that is told relative to the working directory, as OpenHands tells it', async () => {
    const back =
      '# One\n\n```sh\n"$SKILL_DIR/x"\n```\n\n---\nThis skill is located at `.agents/skills/one`. Files are relative to it.\n';
    const asked = request('openai-chat', { instruction: 'Go.', listing: LISTING, rounds: [{ back }] });
    const { calls } = await readAnswer(
      'openai-chat',
      await ask([{ turns: [{ followSkill: 'one' }] }], asked),
    );
    expect(JSON.stringify(calls)).toContain('SKILL_DIR=.agents/skills/one');
  });

  it('takes one way with the Skill listed and the other without', async () => {
    const turns = [
      { ifListed: 'one', turns: [{ followSkill: 'one', text: 'I look.' }], otherwise: [{ shell: 'naive' }] },
      { text: 'The end.' },
    ];
    const say = async (wish: object) =>
      readAnswer(
        'openai-chat',
        await ask([{ turns }], request('openai-chat', { instruction: 'Go.', ...wish })),
      );
    const back = 'Base directory for this skill: /s/one\n# One\n\n```sh\n"$SKILL_DIR/x"\n```\n';
    expect(await say({})).toMatchObject({ calls: [{ input: { command: 'naive' } }] });
    expect(await say({ listing: LISTING })).toMatchObject({
      text: 'I look.',
      calls: [{ name: 'skill', input: { skill: 'one' } }],
    });
    const command = '(\nset -eu\nexport SKILL_DIR=/s/one\n"$SKILL_DIR/x"\n)';
    expect(await say({ listing: LISTING, rounds: [{ back }] })).toMatchObject({
      calls: [{ input: { command } }],
    });
    expect(await say({ listing: LISTING, rounds: [{ back }, { back: '' }] })).toMatchObject({
      text: 'The end.',
      calls: [],
    });
    // A Skill without commands: nothing is run.
    expect(await say({ listing: LISTING, rounds: [{ back: 'words' }] })).toMatchObject({
      text: 'The end.',
      calls: [],
    });
  });

  it('that opens what is not listed is a status 400 where a file would have to be read', async () => {
    const asked = request('openai-responses', { instruction: 'Go.' });
    const answer = await ask([{ turns: [{ openSkill: 'one' }] }], asked);
    expect(answer.status).toBe(400);
    expect((await drained(answer)).text).toContain('put the turn under \\"ifListed: one\\"');
  });
});
