import { describe, expect, test } from 'vitest';
import { chooseCases } from '../../../../src/cli/contract/choose-cases.ts';
import { HarnessManifest } from '../../../../src/model/harness.ts';
import { InputError } from '../../../../src/model/problem.ts';

function manifest(more: object = {}): HarnessManifest {
  return HarnessManifest.parse({
    schemaVersion: 1,
    id: 'tool',
    version: '1',
    title: 'A tool',
    command: ['tool'],
    discovery: { home: ['.tool/skills'], project: [], system: [] },
    bundle: true,
    trajectory: 'codex',
    protocol: 'openai-responses',
    ...more,
  });
}

const names = (given: ReturnType<typeof chooseCases>) => given.trials.map(({ name }) => name);

describe('the cases of a harness', () => {
  test('are all of them for one that needs a model', () => {
    const chosen = chooseCases(manifest(), undefined);
    expect(chosen.bundle).toBe(true);
    expect(names(chosen)).toEqual([
      'canary',
      'no-skills',
      'shell-read',
      'long-instruction',
      'status-401',
      'status-429',
      'status-500',
      'cut-stream',
      'empty-answer',
      'stall',
      'bad-arguments',
      'served-model',
      'served-model-void',
    ]);
  });

  test('are those without a script for one that needs no model, and none for one outside comparisons', () => {
    const plain = manifest({ protocol: undefined, trajectory: 'literal', bundle: false });
    expect(chooseCases(plain, undefined)).toMatchObject({ bundle: false });
    expect(names(chooseCases(plain, undefined))).toEqual(['canary', 'no-skills']);
    expect(names(chooseCases(manifest({ special: 'nop', protocol: undefined }), undefined))).toEqual([]);
  });

  test('are those that fit a glob, the bundle only where it is named', () => {
    const chosen = chooseCases(manifest(), ['status-*', 'canary']);
    expect(chosen.bundle).toBe(false);
    expect(names(chosen)).toEqual(['canary', 'status-401', 'status-429', 'status-500']);
    expect(chooseCases(manifest(), ['bundle'])).toEqual({ bundle: true, trials: [] });
  });

  test('a glob that fits none is wrong input, with the name that was meant', () => {
    const choose = () => chooseCases(manifest(), ['canary', 'no-skill']);
    expect(choose).toThrow(InputError);
    expect(choose).toThrow(/--case "no-skill": no such case of harness tool/);
  });
});

describe('what is right', () => {
  const expected = (given: HarnessManifest) =>
    Object.fromEntries(chooseCases(given, undefined).trials.map((one) => [one.name, one.expected(given)]));

  test('a program whose output is read must be seen through', () => {
    expect(expected(manifest())).toEqual({
      canary: ['passed; seen'],
      'no-skills': ['failed; nothing used; nothing listed'],
      'shell-read': ['passed; seen'],
      'long-instruction': ['passed'],
      'status-401': ['provider-auth'],
      'status-429': ['provider-limit'],
      'status-500': ['provider-error'],
      'cut-stream': ['provider-error', 'harness-protocol', 'passed'],
      'empty-answer': ['provider-error', 'harness-protocol'],
      stall: ['provider-error'],
      'bad-arguments': ['failed; completed'],
      'served-model': ['passed; another-model answered'],
      'served-model-void': ['model-mismatch'],
    });
  });

  test('a program whose output nobody reads cannot tell, and one without a model lists nothing to any', () => {
    expect(expected(manifest({ trajectory: 'none' }))).toMatchObject({
      canary: ['passed; cannot-tell'],
      'no-skills': ['failed; cannot-tell; listing not known'],
    });
    expect(expected(manifest({ trajectory: 'literal', protocol: undefined }))).toEqual({
      canary: ['passed; seen'],
      'no-skills': ['failed; nothing used; listing not known'],
    });
  });
});
