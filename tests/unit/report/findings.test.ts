import { describe, expect, test } from 'vitest';
import type { Finding } from '../../../src/model/finding.ts';
import { findingsJson } from '../../../src/report/findings-json.ts';
import { type CheckedSubjects, findingsJunit } from '../../../src/report/findings-junit.ts';
import { countFindings, renderFindings } from '../../../src/report/findings-text.ts';
import { children, parseStrictly } from '../../support/strict-xml.ts';

const finding = (changes: Partial<Finding>): Finding => ({
  severity: 'warning',
  message: 'the name is odd',
  rule: 'name-format',
  subject: 'skills/a',
  ...changes,
});
const where = { file: '/project/skills/a/SKILL.md', line: 2, column: 7 };

describe('findings as text', () => {
  test('stand one on a line, with place, rule and repair', () => {
    expect(renderFindings([finding({ where, repair: 'rename it' })], '/project')).toBe(
      'skills/a/SKILL.md:2:7 warning: the name is odd [name-format]; repair: rename it\n',
    );
  });

  test('keep subjects together, errors of each first', () => {
    const text = renderFindings(
      [
        finding({ message: 'one' }),
        finding({ subject: 'b', severity: 'note', message: 'two' }),
        finding({ severity: 'error', message: 'three' }),
        finding({ subject: 'b', message: 'four' }),
      ],
      '/project',
    );
    expect(text.match(/one|two|three|four/g)).toEqual(['three', 'one', 'four', 'two']);
  });

  test('show a score as a score, and no control character of a file', () => {
    const text = renderFindings([finding({ score: 0.4167, message: 'a\u001b[31m\u0007b' })], '/project');
    expect(text).toBe('skills/a warning: a\ufffdb (score 0.42) [name-format]\n');
  });

  test('name a file outside the root by the path that was given', () => {
    expect(renderFindings([finding({ where: { file: '/other/SKILL.md' } })], '/project')).toMatch(
      /^\/other\/SKILL\.md warning/,
    );
  });

  test('are counted by severity', () => {
    expect(countFindings([])).toBe('no findings');
    expect(countFindings([finding({}), finding({}), finding({ severity: 'error' })])).toBe(
      '1 error, 2 warnings',
    );
  });
});

test('findings as JSON have files relative to the root, and what else is told beside them', () => {
  const text = findingsJson([finding({ where })], '/project', { skills: [] });
  expect(JSON.parse(text)).toEqual({
    schemaVersion: 1,
    skills: [],
    findings: [
      {
        severity: 'warning',
        message: 'the name is odd',
        rule: 'name-format',
        subject: 'skills/a',
        where: { file: 'skills/a/SKILL.md', line: 2, column: 7 },
      },
    ],
  });
});

describe('findings as JUnit', () => {
  const checked = (changes: Partial<CheckedSubjects>): CheckedSubjects => ({
    check: 'skill-check',
    subjects: [{ subject: 'skills/a', file: '/project/skills/a/SKILL.md' }],
    rules: ['name-format', 'name-folder'],
    findings: [],
    strict: false,
    root: '/project',
    at: '2026-11-29T21:00:00.123Z',
    hostname: 'w1',
    ...changes,
  });
  const suitesOf = async (changes: Partial<CheckedSubjects>) =>
    children(await parseStrictly(findingsJunit(checked(changes))), 'testsuite');

  test('have a suite for each subject and a case for each rule, tried or raised', async () => {
    const suites = await suitesOf({
      subjects: [
        { subject: 'skills/a', file: '/project/skills/a/SKILL.md' },
        { subject: 'skills/b.c', file: '/project/skills/b.c/SKILL.md' },
      ],
      findings: [finding({ subject: 'skills/b.c', rule: 'extra', severity: 'error' })],
    });
    expect(suites.map(({ $ }) => [$.name, $.tests, $.failures])).toEqual([
      ['skill-check.skills/a', '2', '0'],
      ['skill-check.skills/b_c', '3', '1'],
    ]);
    expect(children(suites[1], 'testcase').map(({ $ }) => [$.name, $.file])).toEqual([
      ['name-format / skills/b.c', 'skills/b.c/SKILL.md'],
      ['name-folder / skills/b.c', 'skills/b.c/SKILL.md'],
      ['extra / skills/b.c', 'skills/b.c/SKILL.md'],
    ]);
  });

  test('fail for an error, and for a warning only where it is strict', async () => {
    const findings = [finding({ where, message: 'a "quoted" <name>' })];
    const [loose] = await suitesOf({ findings });
    expect(loose?.$).toMatchObject({ failures: '0', errors: '0' });
    expect(children(children(loose, 'testcase')[0], 'system-out')[0]?._).toContain('a "quoted" <name>');
    const [strict] = await suitesOf({ findings, strict: true });
    const [failure] = children(children(strict, 'testcase')[0], 'failure');
    expect(failure?.$).toEqual({ type: 'rule.name-format', message: 'a quoted name' });
    expect(failure?._).toContain('skills/a/SKILL.md:2:7 warning');
  });

  test('of no subject are one error that says so', async () => {
    const [suite] = await suitesOf({ subjects: [] });
    expect(suite?.$).toMatchObject({ tests: '1', errors: '1' });
  });
});
