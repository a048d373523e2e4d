import { expect, test } from 'vitest';
import { type Selection, select } from '../../../src/plan/select.ts';
import { aConfiguration, aProject, aTask } from '../../support/project-values.ts';

const project = aProject({
  tasks: [
    aTask('co2-trend', { tags: ['csv', 'climate'] }),
    aTask('co2-cycle', { tags: ['climate'], difficulty: 'extended' }),
    aTask('ledger', { domain: 'finance-and-economics', tags: ['csv'] }),
  ],
  configurations: [aConfiguration('literal'), aConfiguration('oracle')],
});

function chosen(selection: Selection): string[] {
  const selected = select(project, selection);
  return selected.ok ? selected.value.tasks.map((task) => task.id) : [];
}

function refusal(selection: Selection): { messages: string[]; repairs: (string | undefined)[] } {
  const selected = select(project, selection);
  const problems = selected.ok ? [] : selected.error;
  return { messages: problems.map(({ message }) => message), repairs: problems.map(({ repair }) => repair) };
}

test('without filters everything takes part', () => {
  const selected = select(project, {});
  expect(selected).toMatchObject({
    ok: true,
    value: { conditions: ['no-skills', 'with-skills'], notes: [] },
  });
  expect(chosen({ tags: [], tasks: undefined })).toEqual(['co2-trend', 'co2-cycle', 'ledger']);
});

test.each<[string, Selection, string[]]>([
  ['a glob over ids', { tasks: ['co2*'] }, ['co2-trend', 'co2-cycle']],
  ['two ids', { tasks: ['ledger', 'co2-cycle'] }, ['co2-cycle', 'ledger']],
  ['a domain', { domains: ['finance-and-economics'] }, ['ledger']],
  ['a difficulty', { difficulties: ['extended'] }, ['co2-cycle']],
  ['a tag', { tags: ['csv'] }, ['co2-trend', 'ledger']],
  ['a tag and a glob together', { tags: ['csv'], tasks: ['co2*'] }, ['co2-trend']],
])('tasks are chosen by %s', (_what, selection, ids) => {
  expect(chosen(selection)).toEqual(ids);
});

test('a harness is chosen through the configurations that use it', () => {
  const selected = select(project, { harnesses: ['oracle'] });
  expect(selected).toMatchObject({ ok: true, value: { configurations: [{ name: 'oracle' }] } });
});

test('one arm alone is allowed and noted', () => {
  const selected = select(project, { conditions: ['with-skills'] });
  expect(selected).toMatchObject({
    ok: true,
    value: { conditions: ['with-skills'], notes: [{ severity: 'note' }] },
  });
});

test('a word that fits nothing is named, with the nearest available first, even beside one that fits', () => {
  const { messages, repairs } = refusal({ tasks: ['co2-trend', 'legder'] });
  expect(messages).toEqual(['no task is named "legder"']);
  expect(repairs[0]).toMatch(/^choose from: ledger, /);
});

test('all slips are reported together', () => {
  const { messages } = refusal({ domains: ['law'], conditions: ['with-skill'], harnesses: ['codex'] });
  expect(messages).toEqual([
    'no task has domain "law"',
    'no condition is named "with-skill"',
    'no configuration uses harness "codex"',
  ]);
});

test('filters that exclude each other are told apart from slips', () => {
  const { messages } = refusal({ domains: ['finance-and-economics'], tags: ['climate'] });
  expect(messages).toEqual([
    'nothing is selected: no task has domain finance-and-economics and has tag climate',
  ]);
});

test('at most ten names are listed, and the rest is counted', () => {
  const many = aProject({ tasks: Array.from({ length: 87 }, (_, place) => aTask(`task-${place}`)) });
  const selected = select(many, { tasks: ['nothing-like-it'] });
  const repair = selected.ok ? '' : selected.error[0]?.repair;
  expect(repair).toMatch(/ and 77 more$/);
});

test('a project without a task is refused', () => {
  const selected = select(aProject({ tasks: [] }), {});
  expect(selected).toMatchObject({ ok: false, error: [{ message: 'the experiment has no task' }] });
});
