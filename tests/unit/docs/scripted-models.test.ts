import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { loadModelScript } from '../../../src/load/model-script.ts';
import { ModelProtocol } from '../../../src/model/model-protocol.ts';
import { ModelFaultKind, ModelScript } from '../../../src/model/model-script.ts';
import { pageFiles, writePageFiles } from '../../support/page-files.ts';
import { page, tableRows } from '../../support/pages.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

interface Node {
  readonly properties?: Readonly<Record<string, Node>>;
  readonly items?: Node;
  readonly required?: readonly string[];
  readonly default?: unknown;
}

/** Every key of a schema, as `rules[].turns[].shell`; the turns within a fork, which are turns too, not again. */
function keys(node: Node, prefix = ''): readonly (readonly [key: string, node: Node, needed: boolean])[] {
  return Object.entries(node.properties ?? {}).flatMap(([key, child]) => {
    const path = `${prefix}${key}`;
    const own = [path, child, node.required?.includes(key) ?? false] as const;
    if (/turns\[\]\.(?:turns|otherwise)$/.test(path)) return [own];
    return [own, ...keys(child, `${path}.`), ...keys(child.items ?? {}, `${path}[].`)];
  });
}

const KEYS = keys(z.toJSONSchema(ModelScript, { io: 'input', reused: 'inline' }) as Node);
const PAGE = page('docs/scripted-models.md');
const rows = tableRows(PAGE, 'key');

test('"Scripted models" has every key of a script and no other, in order', () => {
  expect(rows.map(([key]) => key)).toEqual(KEYS.map(([key]) => key));
});

test('it gives each its default, its form, its meaning and an example', () => {
  expect(rows.filter((cells) => cells.length < 5 || cells.includes(''))).toEqual([]);
  const defaults = new Map(rows.map(([key = '', standard = '']) => [key, standard]));
  expect(
    KEYS.filter(([key, , needed]) => needed !== (defaults.get(key) === 'needed')).map(([key]) => key),
  ).toEqual([]);
  const numbers = KEYS.flatMap(([key, node]) =>
    typeof node.default === 'number' ? [[defaults.get(key), String(node.default)]] : [],
  );
  expect(numbers.length).toBeGreaterThan(2);
  expect(numbers.filter(([said, value]) => said !== value)).toEqual([]);
});

test('it has every fault and every protocol', () => {
  expect(tableRows(PAGE, 'kind').map(([kind]) => kind)).toEqual(ModelFaultKind.options);
  expect(tableRows(PAGE, 'protocol').map(([protocol]) => protocol)).toEqual(ModelProtocol.options);
});

test('its script is read without a word', async () => {
  await using folder = await temporaryFolder();
  const files = pageFiles(PAGE.text);
  expect(files.map(({ path }) => path)).toEqual(['experiments/first-script.yaml']);
  await writePageFiles(folder.path, files);
  const loaded = await loadModelScript(join(folder.path, 'experiments/first-script.yaml'));
  expect(loaded).toMatchObject({ ok: true, value: { problems: [] } });
});
