import { expect, it } from 'vitest';
import { said } from '../../../../src/gateway/scripted/entry.ts';
import { instructionIn } from '../../../../src/gateway/scripted/instruction.ts';

const text = (...texts: readonly string[]) => instructionIn([said('user', texts)]).text;

it("is the last text of the user that is not the harness's own", () => {
  expect(text('Older.', 'Do it.', '<environment_context>\n<cwd>/ws</cwd>\n</environment_context>')).toBe(
    'Do it.',
  );
  expect(text('<system-reminder>a</system-reminder>', '<system-reminder>b</system-reminder>\nDo it.\n')).toBe(
    'Do it.',
  );
});

it('may be in tags itself where there is nothing else', () => {
  expect(text('<task>Do it.</task>')).toBe('<task>Do it.</task>');
});

it('loses the quotes into which a harness put all of it', () => {
  expect(text('"Do it:\n```sh\nls\n```"')).toBe('Do it:\n```sh\nls\n```');
  expect(text('Say "hello"')).toBe('Say "hello"');
});

it('is empty where nobody said anything', () => {
  expect(instructionIn([said('system', ['You are an agent.'])]).text).toBe('');
});
