import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');

it('the exported JSON Schemas are as the source says', () => {
  const said = execFileSync(process.execPath, [join(ROOT, 'scripts/schemas.ts'), '--check'], {
    encoding: 'utf8',
  });
  expect(said).toContain('are as the source says');
});

it('the schema of a task asks for what has no default, and for nothing else', () => {
  const schema = JSON.parse(readFileSync(join(ROOT, 'schemas/task.json'), 'utf8'));
  expect(schema.required).toEqual(['schemaVersion', 'title', 'domain', 'capability', 'difficulty']);
  expect(schema.additionalProperties).toBe(false);
});
