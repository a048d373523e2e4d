import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runAgent } from '../../../../harnesses/literal/src/agent.ts';

type Event = Readonly<Record<string, unknown>>;

let root: string;
let events: Event[];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'skillpair-literal-'));
  events = [];
  await put('work/in.txt', 'b\na\n');
});
afterEach(() => rm(root, { recursive: true }));

async function put(path: string, content: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), content);
}

const skill = (description: string, body: string) =>
  `---\nname: sorting\ndescription: ${description}\n---\n${body}\n`;
const sh = (...lines: readonly string[]) => `\`\`\`sh\n${lines.join('\n')}\n\`\`\`\n`;
const SORT = 'Sort the lines of a text alphabetically.';
const instruction = () =>
  `Sort these text lines alphabetically.\n\n- Input: \`${root}/work/in.txt\`\n- Output: \`${root}/work/out/sorted.txt\`\n`;
const output = () => readFile(join(root, 'work/out/sorted.txt'), 'utf8');
const kinds = () => events.map(({ kind }) => kind);

function run(text = instruction(), signal = new AbortController().signal): Promise<boolean> {
  return runAgent({
    instructionText: text,
    workingDir: join(root, 'work'),
    env: { PATH: '/usr/bin:/bin', HOME: join(root, 'home') },
    signal,
    emit: (event) => events.push(event),
  });
}

describe('the literal agent', () => {
  it('does what the commands of a fitting Skill say, in order, with INPUT, OUTPUT and SKILL_DIR', async () => {
    await put('home/.agents/skills/sorting/order.txt', 'sort\n');
    const commands =
      sh('mkdir -p "$(dirname "$OUTPUT")"') + sh('"$(cat "$SKILL_DIR/order.txt")" "$INPUT" > <output>');
    await put('home/.agents/skills/sorting/SKILL.md', skill(SORT, commands));
    expect(await run()).toBe(true);
    expect(await output()).toBe('a\nb\n');
    expect(kinds()).toEqual(['start', 'skill-listed', 'skill-opened', 'command', 'command', 'end']);
    expect(events[2]).toMatchObject({
      name: 'sorting',
      path: `${root}/home/.agents/skills/sorting/SKILL.md`,
    });
  });

  it('makes the naive attempt without a Skill: the input is copied to the output', async () => {
    expect(await run()).toBe(true);
    expect(await output()).toBe('b\na\n');
    expect(kinds()).toEqual(['start', 'copy', 'end']);
  });

  it('makes the naive attempt where no description fits', async () => {
    await put('home/.agents/skills/other/SKILL.md', skill('Balance a chemical equation.', sh('exit 1')));
    expect(await run()).toBe(true);
    expect(kinds()).toEqual(['start', 'skill-listed', 'copy', 'end']);
  });

  it("runs the instruction's own commands where no Skill fits", async () => {
    await run(`${instruction()}${sh('mkdir out', 'echo own > out/sorted.txt')}`);
    expect(await output()).toBe('own\n');
  });

  it('makes the naive attempt where a fitting Skill holds prose alone', async () => {
    await put('home/.agents/skills/sorting/SKILL.md', skill(SORT, 'Just sort them.'));
    expect(await run()).toBe(true);
    expect(kinds()).toEqual(['start', 'skill-listed', 'skill-opened', 'copy', 'end']);
  });

  it('ends the work of a Skill at a block that fails, and says so', async () => {
    await put(
      'home/.agents/skills/sorting/SKILL.md',
      skill(SORT, sh('echo oh >&2', 'exit 3') + sh('echo never')),
    );
    expect(await run()).toBe(false);
    expect(kinds()).toEqual(['start', 'skill-listed', 'skill-opened', 'command', 'end']);
    expect(events[3]).toMatchObject({ exitCode: 3, stderr: 'oh\n' });
    expect(events[4]).toEqual({ kind: 'end', ok: false });
  });

  it('stops a block at its first failing command and at an unset variable', async () => {
    await put('home/.agents/skills/sorting/SKILL.md', skill(SORT, sh('false', 'true')));
    expect(await run()).toBe(false);
    await put('home/.agents/skills/sorting/SKILL.md', skill(SORT, sh('echo "$NOT_SET"', 'true')));
    expect(await run()).toBe(false);
  });

  it('goes on with the next Skill after one that failed', async () => {
    await put('home/.agents/skills/a/SKILL.md', skill(SORT, sh('exit 1')));
    await put('home/.agents/skills/b/SKILL.md', skill(SORT, sh('mkdir -p out; echo b > out/sorted.txt')));
    expect(await run()).toBe(false);
    expect(await output()).toBe('b\n');
  });

  it('finds Skills of the working directory and its parents; of equal names home wins', async () => {
    await put('.agents/skills/above/SKILL.md', skill('Something else.', ''));
    await put('work/.agents/skills/here/SKILL.md', skill('Something else.', ''));
    await put('work/.agents/skills/sorting/SKILL.md', skill(SORT, sh('exit 1')));
    await put('home/.agents/skills/sorting/SKILL.md', skill(SORT, sh('true')));
    await put('home/.agents/skills/not-a-skill/README.md', 'no');
    expect(await run()).toBe(true);
    expect(events[0]?.skills).toEqual(['sorting', 'here', 'above']);
  });

  it('fails where the naive attempt cannot be made, and says why', async () => {
    expect(await run('- Input: `/no/such/file`\n- Output: `out.txt`\n')).toBe(false);
    expect(events[1]).toMatchObject({ kind: 'copy', problem: expect.stringContaining('ENOENT') });
  });

  it('does nothing where there is nothing that it can do', async () => {
    expect(await run('Think about it.')).toBe(true);
    expect(kinds()).toEqual(['start', 'end']);
  });

  it('puts a path with spaces in as one word', async () => {
    await put('work/two words.txt', 'z\n');
    await put('home/.agents/skills/sorting/SKILL.md', skill(SORT, sh('cat <input>')));
    expect(await run('Sort text lines alphabetically.\n- Input: `two words.txt`\n')).toBe(true);
    expect(events.find(({ kind }) => kind === 'command')).toMatchObject({
      command: "cat 'two words.txt'",
      stdout: 'z\n',
    });
  });

  it('ends what runs at its own limit, with all of its process group, and names that limit', async () => {
    await put('home/.agents/skills/sorting/SKILL.md', skill(SORT, sh('sleep 600 & sleep 600') + sh('true')));
    const limit = new AbortController();
    const done = runAgent({
      instructionText: instruction(),
      workingDir: join(root, 'work'),
      env: { PATH: '/usr/bin:/bin', HOME: join(root, 'home') },
      signal: limit.signal,
      emit: (event) => {
        events.push(event);
        if (event.kind === 'skill-opened') setImmediate(() => limit.abort());
      },
    });
    expect(await done).toBe(false);
    expect(kinds()).toEqual(['start', 'skill-listed', 'skill-opened', 'command', 'end']);
    expect(events.at(-1)).toEqual({ kind: 'end', ok: false, limit: 'inner' });
  });

  it('keeps the end of long output and marks what is missing', async () => {
    const long = sh('i=0; while [ $i -lt 1000 ]; do echo "line $i"; i=$((i+1)); done');
    await put('home/.agents/skills/sorting/SKILL.md', skill(SORT, long));
    await run();
    const stdout = String(events.find(({ kind }) => kind === 'command')?.stdout);
    expect([stdout.startsWith('…'), stdout.endsWith('line 999\n'), stdout.length]).toEqual([
      true,
      true,
      2001,
    ]);
  });

  it('does not wait for a daemon that a command leaves behind', async () => {
    const daemon = sh('sleep 600 & echo $! > pid');
    await put('home/.agents/skills/sorting/SKILL.md', skill(SORT, daemon));
    expect(await run()).toBe(true);
    process.kill(Number(await readFile(join(root, 'work/pid'), 'utf8')), 'SIGKILL');
  });
});
