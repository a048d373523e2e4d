import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadModelScript } from '../../../src/load/model-script.ts';
import { scratchFolder } from './support/scratch-project.ts';

async function problems(text: string): Promise<readonly string[]> {
  await using files = await scratchFolder({ 's.yaml': text });
  const loaded = await loadModelScript(join(files.dir, 's.yaml'));
  const found = loaded.ok ? loaded.value.problems : loaded.error;
  return found.map(
    ({ where, severity, message, repair }) =>
      `${where?.line}:${where?.column} ${severity} ${message} -> ${repair}`,
  );
}

it('a script is read, with its defaults', async () => {
  await using files = await scratchFolder({
    's.yaml': 'schemaVersion: 1\nrules:\n  - when: { listed: a }\n    turns: [{ shell: ls }]\n  - {}\n',
  });
  const loaded = await loadModelScript(join(files.dir, 's.yaml'));
  expect(loaded).toMatchObject({
    ok: true,
    value: {
      problems: [],
      value: {
        models: ['scripted-model'],
        rules: [
          { when: { listed: 'a' }, turns: [{ shell: 'ls' }], pace: { firstByteMs: 0, chunkMs: 0 } },
          { when: {}, turns: [{ strategy: 'literal' }] },
        ],
      },
    },
  });
});

it('everything that is wrong is named with its place and its repair', async () => {
  const text = `schemaVersion: 1
rules:
  - when: { instructionMatches: "(", modle: x }
    turns:
      - {}
      - { shell: a, openSkill: b }
      - { turns: [] }
      - { ifListed: x }
      - { ifListed: x, text: a, turns: [{ finish: true }] }
      - { shell: 3 }
      - { strategy: literal, text: a }
    fault: { kind: status }
  - fault: { kind: reset, status: 429 }
  - fault: { kind: served-model }
  - fault: { kind: stal }
`;
  expect(await problems(text)).toEqual([
    '3:33 error rules[0].when.instructionMatches is "(": no regular expression -> close its brackets, and put "\\\\" before signs that stand for themselves',
    '3:38 error unknown key "modle" in rules[0].when -> did you mean "model"?',
    '5:9 error rules[0].turns[0] is a map of keys: an empty turn -> give it a text or an action: shell, openSkill, followSkill, tool, finish, strategy',
    '6:32 error rules[0].turns[1].openSkill is "b": a second thing to do in one turn -> make it a turn of its own',
    '7:18 error rules[0].turns[2].turns is a list: turns without a question -> add "ifListed:" with a Skill\'s name',
    '8:21 error rules[0].turns[3].ifListed is "x": a question without answers -> add "turns:" or "otherwise:" below it',
    '9:30 error rules[0].turns[4].text is "a": beside "ifListed", which stands for other turns -> move it into "turns" or "otherwise"',
    '10:18 error rules[0].turns[5].shell is 3: neither a command nor a list of commands -> write a text, or a list of texts',
    '11:21 error rules[0].turns[6].strategy is "literal": a second thing to do in one turn -> make it a turn of its own',
    '12:5 error missing key "rules[0].fault.status" -> add "status:" with a number',
    '13:35 error rules[1].fault.status is 429: only for "kind: status" -> remove it, or write "kind: status"',
    '14:5 error missing key "rules[2].fault.model" -> add "model:" with a text',
    '15:20 error rules[3].fault.kind is "stal", which is none of: status, no-answer, no-body, reset, garbage, truncate, stall, html, empty, bad-arguments, stream-error, served-model -> did you mean "stall"?',
  ]);
});

it('a rule that no request can reach is a warning', async () => {
  const text = 'schemaVersion: 1\nrules:\n  - turns: [{ text: a }]\n  - when: { model: x }\n';
  expect(await problems(text)).toEqual([
    '4:5 warning rules[1] and what follows are never reached: rules[0] fits every request -> move rules[0] to the end, or give it a "when"',
  ]);
});
