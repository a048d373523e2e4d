import { describe, expect, test } from 'vitest';
import { caseFinding } from '../../../../src/cli/contract/case-finding.ts';
import { makeCanary } from '../../../../src/harness/canary.ts';
import type { AttemptRecord, SkillUse } from '../../../../src/model/attempt.ts';
import type { Outcome } from '../../../../src/model/outcome.ts';
import type { Trajectory } from '../../../../src/model/trajectory.ts';
import { modelUse } from '../../../support/model-use.ts';

const CANARY = makeCanary('test');
const PASSED: Outcome = { kind: 'scored', verdict: { passed: true, reward: 1, tests: [] } };
const FAILED: Outcome = { kind: 'scored', verdict: { passed: false, reward: 0, tests: [] } };
const REFUSED: Outcome = { kind: 'unscored', reason: 'provider-auth', phase: 'agent', detail: 'no key' };

function use(
  given: SkillUse['use'],
  listed?: 'yes' | 'no' | 'cannot-tell',
  more: Partial<SkillUse> = {},
): SkillUse {
  const opened = given === 'used' ? 'yes' : 'no';
  const stages =
    listed === undefined ? {} : { stages: { staged: listed, listed, opened, scriptRun: 'no' } as const };
  return { skill: CANARY.name, use: given, origin: 'task', ...stages, ...more };
}

function shown(text: string): Trajectory {
  return {
    schemaVersion: 1,
    harness: 'tool',
    steps: [{ kind: 'tool-call', turn: 1, name: 'sh', input: {}, result: text }],
    usage: {},
    whole: true,
    counts: {
      events: 1,
      unknownEvents: 0,
      toolCalls: 1,
      failedToolCalls: 0,
      droppedSteps: 0,
      clippedTexts: 0,
    },
  };
}

function finding(
  tells: Parameters<typeof caseFinding>[0],
  outcome: Outcome,
  given: {
    readonly skillUse?: readonly SkillUse[];
    readonly trajectory?: Trajectory;
    readonly more?: Pick<AttemptRecord, 'agent' | 'modelUse'>;
  } = {},
): string {
  const { skillUse = [], trajectory, more } = given;
  const record = { outcome, skillUse: [...skillUse], ...more };
  return caseFinding(tells, { record, trajectory, canary: CANARY });
}

describe('what is told of an ending', () => {
  test.each([
    [PASSED, 'passed'],
    [FAILED, 'failed'],
    [REFUSED, 'provider-auth'],
  ] as const)('%o is told in a word', (outcome, word) => {
    expect(finding('ending', outcome)).toBe(word);
  });
});

describe('what is told of an agent', () => {
  const agent = {
    ending: 'timed-out',
    exitCode: null,
    durationMs: 45_000,
    stdoutBytes: 0,
    stderrBytes: 0,
  } as const;

  test('is how it ended, beside the verdict on what it left', () => {
    expect(finding('agent', FAILED, { more: { agent, modelUse: modelUse({ requests: 1 }) } })).toBe(
      'failed; timed-out',
    );
  });

  test('is also that it asked no model: then it ended before there was a fault', () => {
    expect(finding('agent', FAILED, { more: { agent, modelUse: modelUse({ requests: 0 }) } })).toBe(
      'failed; timed-out; no model was asked',
    );
    expect(finding('agent', REFUSED)).toBe('provider-auth; no agent; no model was asked');
  });
});

describe('what is told of a model', () => {
  test.each([
    [['other'], 'passed; other answered'],
    [['one', 'other'], 'passed; one, other answered'],
    [[], 'passed; nobody answered'],
  ])('is by which names it signed: %j', (servedModels, told) => {
    expect(finding('served', PASSED, { more: { modelUse: modelUse({ servedModels }) } })).toBe(told);
  });
});

describe('what is told of the detector', () => {
  test('a token that came back by a tool shows a use that is told as seen, and one that is not told as missed', () => {
    const trajectory = shown(`The token is ${CANARY.token}`);
    expect(finding('detector', PASSED, { skillUse: [use('used')], trajectory })).toBe('passed; seen');
    expect(finding('detector', PASSED, { skillUse: [use('not-used')], trajectory })).toBe('passed; missed');
  });

  test('with a trajectory the accepted answer proves nothing of what the trajectory holds', () => {
    const trajectory = shown('nothing');
    expect(finding('detector', PASSED, { skillUse: [use('used')], trajectory })).toBe('passed; unconfirmed');
  });

  test('without a trajectory the accepted answer shows that the token came back', () => {
    expect(finding('detector', PASSED, { skillUse: [use('used')] })).toBe('passed; seen');
    expect(finding('detector', PASSED, { skillUse: [use('not-used')] })).toBe('passed; missed');
    expect(finding('detector', FAILED, { skillUse: [use('not-used')] })).toBe('failed; not-opened');
  });

  test('a blind detector is called so, also where the Skill was told of not at all', () => {
    expect(finding('detector', PASSED, { skillUse: [use('cannot-tell')] })).toBe('passed; cannot-tell');
    expect(finding('detector', REFUSED)).toBe('provider-auth; cannot-tell');
  });
});

describe('what is told of an arm without Skills', () => {
  test.each([
    [[use('not-used', 'no')], 'failed; nothing used; nothing listed'],
    [[use('not-used', 'yes')], `failed; nothing used; listed ${CANARY.name}`],
    [[use('not-used', 'cannot-tell')], 'failed; nothing used; listing not known'],
    [[use('not-used')], 'failed; nothing used; listing not known'],
    [[use('cannot-tell')], 'failed; cannot-tell; listing not known'],
    [[use('used', 'no')], `failed; used ${CANARY.name}; nothing listed`],
  ])('%o', (skillUse, told) => {
    expect(finding('nothing-used', FAILED, { skillUse })).toBe(told);
  });

  test('a Skill that the program is known to bring along may be listed, one that nobody named may not', () => {
    const own = use('not-used', 'yes', { skill: 'built-in', origin: 'harness' });
    const stranger = use('not-used', 'yes', { skill: 'stray', origin: 'unknown' });
    const skillUse = [use('not-used', 'no'), own];
    expect(finding('nothing-used', FAILED, { skillUse })).toBe('failed; nothing used; nothing listed');
    expect(finding('nothing-used', FAILED, { skillUse: [...skillUse, stranger] })).toBe(
      'failed; nothing used; listed stray',
    );
  });
});
