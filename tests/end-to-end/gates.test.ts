import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GATES } from '../../scripts/gates.ts';

const root = join(import.meta.dirname, '../..');

/** One fault for each gate: where it is planted, and what the gate's own output must say of it. */
const FAULTS: Record<string, { path: string; text: string; says: string }> = {
  types: {
    path: 'src/base/planted-type.ts',
    text: "/** Wrong. */\nexport const plantedType: number = 'text';\n",
    says: "src/base/planted-type.ts(2,14): error TS2322: Type 'string' is not assignable to type 'number'",
  },
  lint: {
    path: 'src/base/planted-lint.ts',
    text: '/** Loose. */\nexport const plantedLint: any = 1;\n',
    says: 'src/base/planted-lint.ts:2:27 lint/suspicious/noExplicitAny',
  },
  layers: {
    path: 'src/base/planted-layer.ts',
    text: "import { PHASES } from '../model/phase.ts';\n\n/** Above its station. */\nexport const plantedLayer = PHASES;\n",
    says: 'base-layer: src/base/planted-layer.ts imports src/model/phase.ts',
  },
  unused: {
    path: 'src/base/planted-unused.ts',
    text: '/** Nobody asks for it. */\nexport const plantedUnused = 1;\n',
    says: 'src/base/planted-unused.ts',
  },
  'api-docs': {
    path: 'src/base/planted-undocumented.ts',
    text: 'export const plantedUndocumented = 1;\n',
    says: 'plantedUndocumented',
  },
  vocabulary: {
    path: 'src/model/planted-word.ts',
    text: '/** A word that the vocabulary does not have yet. */\nexport type PlantedWord = string;\n',
    says: 'docs/vocabulary.md differs',
  },
  docs: {
    path: 'docs/planted.md',
    text: 'See [nothing](nowhere.md).\n',
    says: 'docs/planted.md:1: the link to nowhere.md is broken',
  },
  schemas: {
    path: `schemas/${firstSchema()}`,
    text: '{}\n',
    says: firstSchema(),
  },
};

function firstSchema(): string {
  return readdirSync(join(root, 'schemas')).toSorted()[0] ?? 'there is no schema';
}

describe('each gate of npm run check', () => {
  let copy: string;
  let report: string;
  let exitCode: number | undefined;

  beforeAll(async () => {
    copy = mkdtempSync(join(tmpdir(), 'skillpair-gates-'));
    const listing = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      cwd: root,
      encoding: 'utf8',
    });
    for (const path of listing.split('\0').filter((name) => name !== '' && name !== 'node_modules')) {
      cpSync(join(root, path), join(copy, path), { verbatimSymlinks: true });
    }
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
    for (const { path, text } of Object.values(FAULTS)) {
      mkdirSync(dirname(join(copy, path)), { recursive: true });
      writeFileSync(join(copy, path), text);
    }
    const check = await execa(process.execPath, [join(copy, 'scripts/check.ts')], {
      cwd: copy,
      reject: false,
    });
    report = check.stdout;
    exitCode = check.exitCode;
  }, 300_000);

  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  test.each(GATES.map(({ name }) => name))('fails and names the fault: %s', (name) => {
    const output = report.split(/^--- (?=\S+ \(.*\) ---$)/m).find((part) => part.startsWith(`${name} (`));
    expect(output).toContain(FAULTS[name]?.says ?? `a fault planted for ${name}`);
    expect(report).toMatch(new RegExp(`^FAIL ${name} `, 'm'));
  });

  test('makes the whole check fail', () => {
    expect(exitCode).toBe(1);
    expect(report.trimEnd().split('\n').at(-1)).toBe(`failed: ${GATES.map(({ name }) => name).join(', ')}`);
  });
});
