import { describe, expect, it } from 'vitest';
import { measure } from '../../../src/measure/measure.ts';
import type { ModelUse } from '../../../src/model/model-use.ts';
import { renderMarkdown } from '../../../src/report/markdown.ts';
import { modelTable } from '../../../src/report/model-table.ts';
import { renderSummary } from '../../../src/report/summary-table.ts';
import { modelUse } from '../../support/model-use.ts';
import { runOf, verdict } from '../../support/synthetic-run.ts';

const OPTIONS = { runPath: 'runs/synthetic-1' };

function runThatUsed(of: Partial<ModelUse>) {
  return runOf({ tasks: ['A', 'B'] }, ({ task, condition }) => ({
    outcome: verdict(true),
    ...(task === 'A' && condition === 'with-skills' ? { attempts: ['runtime-lost' as const] } : {}),
    earlierModelUse: modelUse(of),
    modelUse: modelUse(of),
  }));
}

function linesFor(of: Partial<ModelUse>): string[] {
  return modelTable(measure(runThatUsed(of)).configurations);
}

function rowsFor(of: Partial<ModelUse>): string[] {
  return linesFor(of).filter((line) => line.startsWith('| literal'));
}

describe('the section on models', () => {
  it('has requests, tokens and dollars of each arm, and the attempts that were tried again told apart', () => {
    const usage = { input: 2_000_000, cachedInput: 1_000_000, output: 200_000 };
    // Each attempt 3 + 0.3 + 3 dollars.
    expect(rowsFor({ requests: 5, failedRequests: 1, usage })).toEqual([
      '| literal | no-skills | 10 | 2 | 4,000,000 | 2,000,000 | 400,000 | 12.60 | 12.60 | claude-sonnet-4-20250514 |',
      '| literal | with-skills | 15 | 3 | 6,000,000 | 3,000,000 | 600,000 | 18.90 | 12.60 | claude-sonnet-4-20250514 |',
    ]);
  });

  it('says unknown for money and tokens that nobody knows, and which other model answered', () => {
    expect(rowsFor({ servedModels: ['cheaper-1'], askedModels: ['large-1'] })[0]).toBe(
      '| literal | no-skills | 2 | 0 | unknown | unknown | unknown | unknown | unknown | cheaper-1 (asked: large-1) |',
    );
  });

  it('says of how many attempts the money is unknown', () => {
    const run = runOf({ tasks: ['A', 'B'], conditions: ['no-skills'] }, ({ task }) => ({
      outcome: verdict(true),
      modelUse: modelUse({
        usage: { input: 1_000_000, output: 0 },
        servedModels: [task === 'A' ? 'claude-sonnet-4-20250514' : 'no-such-model'],
      }),
    }));
    expect(modelTable(measure(run).configurations).join('\n')).toContain('| 3.00 + 1 attempt unknown |');
  });

  it.each(['scripted', 'record', 'replay'] as const)('says first that the mode is %s', (mode) => {
    expect(linesFor({ mode })[0]).toContain(`Mode \`${mode}\`: `);
  });

  it('stands in report.md only where a model was asked', () => {
    const used = runThatUsed({});
    expect(renderMarkdown(used, measure(used), OPTIONS)).toContain('\n## Models\n\n| configuration | arm |');
    const unused = runOf({ tasks: ['A'] }, () => ({ outcome: verdict(true) }));
    expect(renderMarkdown(unused, measure(unused), OPTIONS)).not.toContain('## Models');
  });
});

describe('a scripted run', () => {
  const run = runThatUsed({ mode: 'scripted', usage: { input: 10, output: 1 } });

  it('has tokens and no money', () => {
    expect(rowsFor({ mode: 'scripted', usage: { input: 10, output: 1 } })[0]).toContain(
      '| 20 | unknown | 2 | none | none |',
    );
  });

  it('says on the terminal, in one line of its own, that no model made its figures', () => {
    const lines = renderSummary(run, measure(run), OPTIONS).split('\n');
    expect(lines.filter((line) => line.startsWith('models: '))).toEqual([
      "models: scripted; these figures are a script's, no model's, and not for publishing",
    ]);
  });

  it('is not said to be one where a model answered', () => {
    const live = runThatUsed({});
    expect(renderSummary(live, measure(live), OPTIONS)).not.toContain('scripted');
  });
});
