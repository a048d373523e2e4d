import { describe, expect, it } from 'vitest';
import { fillPlaceholders, unknownPlaceholders } from '../../../src/model/placeholders.ts';

const values = {
  instruction: '/opt/skillpair/trial/instruction.md',
  bundle: '/opt/skillpair/harness/x',
  home: '/home/agent',
  workdir: '/workspace',
  model: 'some-model',
};

describe('placeholders of a harness manifest', () => {
  it('are filled wherever they stand, as often as they stand', () => {
    expect(fillPlaceholders('{home}/{model}:{model} {workdir}', values)).toBe(
      '/home/agent/some-model:some-model /workspace',
    );
  });

  it('leave JSON, TOML and shell as they are', () => {
    const text = '{"a":{"home":1}} $HOME {other} [x] {} { model }';
    expect(fillPlaceholders(text, values)).toBe(text);
  });

  it('stay as written where this trial has nothing for them', () => {
    expect(fillPlaceholders('{gateway}/{token}', values)).toBe('{gateway}/{token}');
  });

  it('are not looked for in what was filled in', () => {
    expect(fillPlaceholders('{model}', { ...values, model: '{token}', token: 'secret' })).toBe('{token}');
  });
});

describe('words that stand as placeholders do and are none', () => {
  it('are found once each, the known ones left out', () => {
    expect(unknownPlaceholders('{prompt} {home}/{prompt}:{tokn}')).toEqual(['prompt', 'tokn']);
  });

  it.each([
    '{"a":{"home":1}}',
    "{'a': 1}",
    `${'$'}{model}`,
    '{{name}}',
    '{ print }',
    '{a,b}',
    '{}',
    '{1}',
    '{Home}',
  ])('are not seen in %s, which is another language', (text) => {
    expect(unknownPlaceholders(text)).toEqual([]);
  });
});
