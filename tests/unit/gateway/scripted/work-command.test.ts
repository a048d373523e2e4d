import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { workCommand } from '../../../../src/gateway/scripted/work-command.ts';

const INSTRUCTION = '- Input: `/in it.csv`\n- Output: `/out.csv`\n';
const markdown = (...blocks: readonly string[]) =>
  blocks.map((block) => `\`\`\`sh\n${block}\n\`\`\`\n`).join('\ntext\n\n');
const run = (...blocks: readonly string[]) => {
  const command = workCommand({
    markdown: markdown(...blocks),
    skillDir: "/it's/here",
    instruction: INSTRUCTION,
  });
  const { stdout, status } = spawnSync(
    '/bin/sh',
    ['-c', `${command ?? 'false'}\ncode=$?; echo "after $code $PWD"`],
    { cwd: '/', encoding: 'utf8' },
  );
  expect(status).toBe(0);
  return stdout.trimEnd().split('\n');
};

it('blocks find the paths in their environment and in the place of their marks', () => {
  expect(run('echo "$SKILL_DIR|$INPUT|$OUTPUT" <input>')).toEqual([
    "/it's/here|/in it.csv|/out.csv /in it.csv",
    'after 0 /',
  ]);
});

it('every block starts in the same folder, without the variables of the one before', () => {
  expect(run('cd /tmp; x=1', 'set +u; echo "$PWD $x."')).toEqual(['/ .', 'after 0 /']);
});

it('a block that fails ends the work, and the shell outside lives on', () => {
  expect(run('echo one; false; echo two', 'echo three')).toEqual(['one', 'after 1 /']);
});

it('a variable that is not set is a failure', () => {
  expect(run('echo "$NOT_SET_ANYWHERE"')).toEqual(['after 2 /']);
});

it('other languages and marked examples are not commands', () => {
  const text = '```python\nx\n```\n\n```sh example\ny\n```\n\n```console\n$ z\n```\n';
  expect(workCommand({ markdown: text, instruction: '' })).toBeUndefined();
});
