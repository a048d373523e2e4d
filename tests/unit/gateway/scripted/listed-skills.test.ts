import { expect, it } from 'vitest';
import { listedSkills } from '../../../../src/gateway/scripted/listed-skills.ts';

it('a list after "skills are available" is read, with second names and descriptions of several lines', () => {
  const text = `<system-reminder>
The following skills are available for use with the Skill tool:

- growth: Rates: what they are
and how they are made
- plugin:other-one: Another
- folder (head-name): Third

Further words.
- not: a Skill
</system-reminder>`;
  const body = {
    system: 'x',
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text },
          { type: 'text', text: 'Do it.' },
        ],
      },
    ],
  };
  expect(listedSkills(body, 'anthropic-messages')).toEqual([
    { name: 'growth', description: 'Rates: what they are and how they are made' },
    { name: 'plugin:other-one', description: 'Another' },
    { name: 'folder', otherName: 'head-name', description: 'Third' },
  ]);
});

it('roots are put in for their short names', () => {
  const text = `<skills_instructions>
Skill roots:
| r0 | none
r0 = /ws/.codex/skills
r1 = /root/.agents/skills
- one: First: with a colon (and brackets) (file: r1/deep/one/SKILL.md)
- two: Second (file: /abs/two/SKILL.md)
</skills_instructions>`;
  const input = [
    { type: 'message', role: 'developer', content: [{ type: 'input_text', text }] },
    { role: 'user', content: 'Do it.' },
  ];
  expect(listedSkills({ input }, 'openai-responses')).toEqual([
    {
      name: 'one',
      description: 'First: with a colon (and brackets)',
      path: '/root/.agents/skills/deep/one/SKILL.md',
    },
    { name: 'two', description: 'Second', path: '/abs/two/SKILL.md' },
  ]);
});

it('elements are read from system texts and from descriptions of tools', () => {
  const list = (name: string, location: string) =>
    `Skills:\n<available_skills>\n<skill>\n<name>\n${name}\n</name><description>a &lt; b &amp; c</description><location>${location}</location></skill>\n</available_skills>`;
  const body = {
    messages: [
      { role: 'system', content: list('one', 'file:///s/one/SKILL.md') },
      { role: 'user', content: list('fake', '/f') },
    ],
    tools: [
      { type: 'function', function: { name: 'skill', description: list('two', 'user'), parameters: {} } },
    ],
  };
  expect(listedSkills(body, 'openai-chat')).toEqual([
    { name: 'one', description: 'a < b & c', path: '/s/one/SKILL.md' },
    { name: 'two', description: 'a < b & c' },
  ]);
});

it('list items that name a SKILL.md are read', () => {
  const text =
    'Skills:\n- [one](/s/one/SKILL.md): First of all\n- **two**: Second (`/s/two/SKILL.md`)\n- three: none\n';
  const body = {
    systemInstruction: { parts: [{ text }] },
    contents: [{ role: 'user', parts: [{ text: 'Do it.' }] }],
  };
  expect(listedSkills(body, 'gemini')).toEqual([
    { name: 'one', description: 'First of all', path: '/s/one/SKILL.md' },
    { name: 'two', description: 'Second', path: '/s/two/SKILL.md' },
  ]);
});

it('what tools give back lists nothing', () => {
  const text =
    '<available_skills><skill><name>one</name><description>d</description></skill></available_skills>';
  const contents = [
    { role: 'user', parts: [{ text: 'Do it.' }] },
    { role: 'model', parts: [{ functionCall: { name: 'x', args: {} } }] },
    { role: 'user', parts: [{ functionResponse: { name: 'x', response: { output: text } } }, { text }] },
  ];
  expect(listedSkills({ contents }, 'gemini')).toEqual([]);
});

it('a body that is no request lists nothing', () => {
  for (const body of [
    undefined,
    null,
    'x',
    3,
    [],
    { messages: 7 },
    { messages: [null, { content: [null, 4] }] },
  ]) {
    expect(listedSkills(body, 'anthropic-messages')).toEqual([]);
    expect(listedSkills(body, 'openai-chat')).toEqual([]);
  }
});
