import { describe, expect, it } from 'vitest';
import { measure } from '../../../src/measure/measure.ts';
import { renderMarkdown } from '../../../src/report/markdown.ts';
import { cell, limited } from '../../../src/report/markdown-table.ts';
import { runOf, syntheticRun, unscored, verdict } from '../../support/synthetic-run.ts';

const OPTIONS = { runPath: 'runs/synthetic-1' };

describe('report.md', () => {
  it('answers in its first sentence', () => {
    const run = runOf({ tasks: ['A', 'B'], trials: 2 }, ({ condition }) => ({
      outcome: verdict(condition === 'with-skills'),
    }));
    const [, , first] = renderMarkdown(run, measure(run), OPTIONS).split('\n');
    expect(first).toBe(
      'literal: 0.0 % no-skills, 100.0 % with-skills, gain +100.0 pp ([+100.0, +100.0]), normalized gain 100.0 %.',
    );
  });

  it('stays under 64 kB for 9,396 trials and says what it leaves out', () => {
    const run = syntheticRun(9396);
    const text = renderMarkdown(run, measure(run), OPTIONS);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(64_000);
    expect(text).toMatch(/\*[\d,]+ lines left out here: see measurement\.json and trials\.csv\.\*/);
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
      '- A/with-skills/1/literal (start-failed)\n',
    );
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
