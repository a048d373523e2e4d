import { describe, expect, it } from 'vitest';
import { measure } from '../../../src/measure/measure.ts';
import { renderMarkdown } from '../../../src/report/markdown.ts';
import { cell, limited } from '../../../src/report/markdown-table.ts';
import { HOSTILE } from '../../support/golden-run.ts';
import { runOf, syntheticRun, unscored, verdict } from '../../support/synthetic-run.ts';

const OPTIONS = { runPath: 'runs/synthetic-1' };

describe('report.md', () => {
  it('answers in its first sentence', () => {
    const run = runOf({ tasks: ['A', 'B'], trials: 2 }, ({ condition }) => ({
      outcome: verdict(condition === 'with-skills'),
    }));
    const [, , first] = renderMarkdown(run, measure(run), OPTIONS).split('\n');
    // Two tasks all or nothing: Wilson's ends with Student's 12.706 are 0.98777 and 0.01223; 1 - 0.98777 * sqrt 2 = -0.397.
    expect(first).toBe(
      'literal: 0.0 % no-skills, 100.0 % with-skills, gain +100.0 pp ([-39.7, +100.0]), normalized gain 100.0 %.',
    );
  });

  it('stays under 64 kB for 9,396 trials and says what it leaves out', () => {
    const run = syntheticRun(9396);
    const text = renderMarkdown(run, measure(run), OPTIONS);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(64_000);
    expect(text).toMatch(
      /\*[\d,]+ lines left out here: see measurement\.json and the CSV files beside this one\.\*/,
    );
  });

  it('says that nothing was selected when there is no trial', () => {
    const run = runOf({ tasks: [] }, () => ({ outcome: verdict(true) }));
    expect(renderMarkdown(run, measure(run), OPTIONS)).toContain('no trial was planned');
  });

  it('reports one arm without inventing a gain', () => {
    const run = runOf({ tasks: ['A'], conditions: ['with-skills'] }, () => ({ outcome: verdict(true) }));
    expect(renderMarkdown(run, measure(run), OPTIONS)).toContain('literal: 100.0 % with-skills.\n');
  });

  it('names the unscored trials of a single arm, which stand in no pair', () => {
    const run = runOf({ tasks: ['A'], conditions: ['with-skills'] }, () => ({
      outcome: unscored('start-failed'),
    }));
    expect(renderMarkdown(run, measure(run), OPTIONS)).toContain(
      '- A/with-skills/1/literal: start-failed in phase start: synthetic fault. [evidence](../trials/A/with-skills/1/literal/1/)\n',
    );
  });

  it('tells of each failed trial which check failed, how the agent ended, what Skill it used and where its evidence is', () => {
    const run = runOf({ tasks: ['A'] }, ({ condition }) => ({
      outcome: verdict(condition === 'no-skills', [{ name: 't.py::test_a', message: '\n3 != 4\nmore' }]),
      ending: 'timed-out',
      skillUse: [{ skill: 'alpha', use: condition === 'no-skills' ? 'not-used' : 'used' }],
    }));
    const text = renderMarkdown(run, measure(run), OPTIONS);
    const failure =
      'agent timed-out. 1 of 2 checks failed: test_a (3 != 4). Skill use: alpha: used. [evidence](../trials/A/with-skills/1/literal/1/)\n';
    expect(text).toContain(`## Trials that failed\n\n- A/with-skills/1/literal: ${failure}\n## `);
    expect(text).toContain(`- A (literal): 100.0 % to 0.0 %\n  - A/with-skills/1/literal: ${failure}`);
    expect(text).toContain(
      '| literal | no-skills | alpha | 0 | 1 | 0 |\n| literal | with-skills | alpha | 1 | 0 | 0 |',
    );
  });

  it('tells 50 failed trials one by one and how many more there are', () => {
    const tasks = Array.from({ length: 60 }, (_, index) => `t${index}`);
    const failing = [{ name: HOSTILE.repeat(50), message: HOSTILE.repeat(50) }];
    const run = runOf({ tasks }, () => ({ outcome: verdict(false, failing) }));
    const text = renderMarkdown(run, measure(run), OPTIONS);
    expect(text.match(/^- t\d+\/.* checks failed: /gm)).toHaveLength(50);
    expect(text).toContain('\n- 70 more in trials.csv\n');
    expect(text).toContain('## Where it comes from');
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(64_000);
  });

  it('gives the detail of a trial without a verdict on one harmless line, those with evidence first', () => {
    const run = runOf({ tasks: ['A', 'B'], conditions: ['no-skills'] }, ({ task }) => ({
      outcome:
        task === 'A'
          ? unscored('not-run', 'interrupted')
          : unscored('build-failed', 'the image holds:\n  <b>/a</b>\nsecond'),
    }));
    expect(renderMarkdown(run, measure(run), OPTIONS)).toContain(
      '- B/no-skills/1/literal: build-failed in phase start: the image holds: \\<b\\>/a\\</b\\>; second. [evidence](../trials/B/no-skills/1/literal/1/)\n- A/no-skills/1/literal: not-run: interrupted\n',
    );
  });

  it('is complete only with what weakens the figures in the same sentence', () => {
    const tasks = Array.from({ length: 8 }, (_, index) => `t${index}`);
    const sentence = (names: readonly string[], trials: number) => {
      const run = runOf({ tasks: names, trials }, () => ({ outcome: verdict(true) }));
      return renderMarkdown(run, measure(run), OPTIONS).match(/^Complete.*$/m)?.[0];
    };
    expect(sentence(tasks, 2)).toBe('Complete: every planned trial has a verdict.');
    expect(sentence(['A'], 1)).toBe(
      'Complete: every planned trial has a verdict; but the figures are descriptive (fewer than 8 tasks) and without a 95 % interval.',
    );
  });

  it('gives the range of the gain beside the two figures that count both arms alike', () => {
    const run = runOf({ tasks: ['A', 'B'] }, ({ task }) => ({
      outcome: task === 'A' ? verdict(false) : unscored('start-failed'),
    }));
    expect(renderMarkdown(run, measure(run), OPTIONS)).toContain(
      'the gain lies in: literal \\[-50.0, +50.0\\] (both arms counted alike: 0.0 pp as failed, 0.0 pp as passed).',
    );
  });

  it('has no mean of normalized gains with one arm', () => {
    const run = runOf({ tasks: ['A'], conditions: ['no-skills'] }, () => ({ outcome: verdict(true) }));
    expect(renderMarkdown(run, measure(run), OPTIONS)).toContain('| not defined: one arm |');
  });

  it('names a substituted base image', () => {
    const run = runOf({ tasks: ['A'] }, () => ({ outcome: verdict(true) }));
    expect(renderMarkdown(run, measure(run), OPTIONS)).toContain(
      'base image debian:12: **substituted by a local image**',
    );
  });
});

describe('a cell', () => {
  it('lets no markup, table border, HTML or mention begin', () => {
    expect(cell('a|b\n<img src=x> [x](y) `c` @all *b*')).toBe(
      'a\\|b; \\<img src=x\\> \\[x\\](y) \\`c\\` @\u200ball \\*b\\*',
    );
  });
});

describe('limited', () => {
  it('leaves a section without lines out', () => {
    expect(
      limited(
        [
          { title: '## Empty', rows: [] },
          { title: '## Full', rows: ['a'] },
        ],
        1000,
      ),
    ).toBe('## Full\n\na\n');
  });
});
