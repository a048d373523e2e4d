import { expect, test } from 'vitest';
import { z } from 'zod';
import { Experiment } from '../../../src/model/experiment.ts';
import { page, tableRows } from '../../support/pages.ts';

interface Node {
  readonly properties?: Readonly<Record<string, Node>>;
  readonly items?: Node;
  readonly required?: readonly string[];
  readonly default?: unknown;
}

interface Leaf {
  readonly needed: boolean;
  readonly default: unknown;
}

/** Every key of a schema with a value of its own, as `tasks.include` and `configurations[].harness`. */
function leaves(node: Node, prefix = ''): ReadonlyMap<string, Leaf> {
  const found = new Map<string, Leaf>();
  for (const [key, child] of Object.entries(node.properties ?? {})) {
    const path = `${prefix}${key}`;
    const inner = child.items?.properties === undefined ? child : child.items;
    const below = leaves(inner, inner === child ? `${path}.` : `${path}[].`);
    if (below.size === 0 || inner !== child)
      found.set(path, { needed: node.required?.includes(key) ?? false, default: child.default });
    for (const [name, leaf] of below) found.set(name, leaf);
  }
  return found;
}

const KEYS = leaves(z.toJSONSchema(Experiment, { io: 'input' }) as Node);
const rows = tableRows(page('docs/writing-an-experiment.md'), 'key');

test('"Writing an experiment" has every key of an experiment and no other', () => {
  expect(rows.map(([key]) => key).toSorted()).toEqual([...KEYS.keys()].toSorted());
});

test('it gives each its default, its form, its meaning and an example', () => {
  expect(rows.filter((cells) => cells.length !== 5 || cells.includes(''))).toEqual([]);
  const said = rows.map(([key, standard = '']) => [key, standard === 'needed']);
  expect(said).toEqual(rows.map(([key = '']) => [key, KEYS.get(key)?.needed]));
  const values = rows.flatMap(([key = '', standard = '']) => {
    const value = KEYS.get(key)?.default;
    return typeof value === 'number' || (typeof value === 'string' && value !== '')
      ? [[standard, String(value)]]
      : [];
  });
  expect(values.length).toBeGreaterThan(5);
  expect(values.filter(([standard, value]) => standard !== value)).toEqual([]);
});
