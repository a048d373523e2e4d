import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { READING_RULES } from '../../../src/cli/lint-tasks.ts';
import { BUILD_RULES } from '../../../src/cli/task-gate/build-findings.ts';
import { GATE_RULES } from '../../../src/lint/gate/gate-rules.ts';
import { TASK_RULES } from '../../../src/lint/task/task-rules.ts';

it('docs/task-rules.md has a paragraph for every rule and for no other, with what, why, example and repair', async () => {
  const text = await readFile(new URL('../../../docs/task-rules.md', import.meta.url), 'utf8');
  const parts = text.split(/^### /m).slice(1);
  const documented = parts.map((part) => part.slice(0, part.indexOf('\n')));
  const rules = [...READING_RULES, ...BUILD_RULES, ...[...TASK_RULES, ...GATE_RULES].map(({ name }) => name)];
  expect(documented.toSorted()).toEqual(rules.toSorted());
  for (const part of parts)
    for (const word of ['What', 'Why', 'Example', 'Repair']) expect(part).toContain(`**${word}.**`);
});
