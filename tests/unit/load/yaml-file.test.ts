import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseYaml, readYamlFile } from '../../../src/load/yaml-file.ts';
import type { Problem } from '../../../src/model/problem.ts';
import { scratchFolder } from './support/scratch-project.ts';

const Settings = z.strictObject({
  name: z.string(),
  size: z.int().min(1).max(9).default(1),
  mode: z.enum(['fast', 'slow']).default('fast'),
  env: z.record(z.string().regex(/^[A-Z]+$/, 'upper case only'), z.string()).default({}),
  parts: z.array(z.strictObject({ id: z.string(), on: z.boolean().default(true) })).default([]),
});

const parse = (text: string) => parseYaml({ text, path: 'a.yaml', schema: Settings });

const line = ({ where, severity, message, repair }: Problem) =>
  `${where?.file}:${where?.line}:${where?.column} ${severity}: ${message}${repair === undefined ? '' : ` [${repair}]`}`;

function problemsOf(text: string): string[] {
  const parsed = parse(text);
  return (parsed.ok ? parsed.value.problems : parsed.error).map(line);
}

describe('what does not fit is said with its place', () => {
  it.each([
    ['name: a\nsise: 3\n', 'a.yaml:2:1 error: unknown key "sise" [did you mean "size"?]'],
    [
      'name: a\nwhatever: 3\n',
      'a.yaml:2:1 error: unknown key "whatever" [use one of: name, size, mode, env, parts]',
    ],
    [
      'name: a\nparts:\n  - id: x\n    no: true\n',
      'a.yaml:4:5 error: unknown key "no" in parts[0] [did you mean "on"?]',
    ],
    ['size: 3\n', 'a.yaml:1:1 error: missing key "name" [add "name:" with a text]'],
    [
      'name: a\nparts:\n  - on: true\n',
      'a.yaml:3:5 error: missing key "parts[0].id" [add "id:" with a text]',
    ],
    ['name: 12\n', 'a.yaml:1:7 error: name must be a text, not 12 [put it in quotes: "12"]'],
    ['name: [a]\n', 'a.yaml:1:7 error: name must be a text, not a list'],
    ['name: a\nsize: many\n', 'a.yaml:2:7 error: size must be a number, not "many"'],
    ['name: a\nsize: 1.5\n', 'a.yaml:2:7 error: size must be a whole number, not 1.5'],
    ['name: a\nsize: 10\n', 'a.yaml:2:7 error: size is 10: at most 9 is allowed [write 9 or less]'],
    [
      'name: a\nmode: fsat\n',
      'a.yaml:2:7 error: mode is "fsat", which is none of: fast, slow [did you mean "fast"?]',
    ],
    ['name: a\nparts: {}\n', 'a.yaml:2:8 error: parts must be a list, not a map of keys'],
    [
      'name: a\nenv: { path: x }\n',
      'a.yaml:2:14 error: env.path has a key that is not allowed: upper case only',
    ],
    ['', 'a.yaml:1:1 error: the file must be a map of keys, not empty [write the keys that it needs: name]'],
    [
      '- a\n',
      'a.yaml:1:1 error: the file must be a map of keys, not a list [write the keys that it needs: name]',
    ],
    ['name: a\nsize: "5"\n', 'a.yaml:2:7 error: size must be a number, not "5" [write it without quotes: 5]'],
    ['name: a\nparts: x\n', 'a.yaml:2:8 error: parts must be a list, not "x" [write a list: [x]]'],
  ])('%j', (text, expected) => {
    expect(problemsOf(text)).toEqual([expected]);
  });

  it('all at once and in the order of the file', () => {
    expect(
      problemsOf('size: 0\nnmae: a\nparts:\n  - id: 7\n').map((text) => text.split(' error')[0]),
    ).toEqual(['a.yaml:1:1', 'a.yaml:1:7', 'a.yaml:2:1', 'a.yaml:4:9']);
  });
});

describe('what is no YAML is said with its place', () => {
  it.each([
    ['name: a\nname: b\n', 'a.yaml:2:1 error: the same key stands twice [keep one of the two]'],
    ['name: a: b\n', 'a.yaml:1:7 error: YAML: nested mappings are not allowed in compact mappings'],
    ['name: "a\n', 'a.yaml:1:7 error: YAML: the " is never closed'],
    ['name: a\n---\nname: b\n', 'a.yaml:2:1 error: YAML: source contains multiple documents'],
    [
      'name: a\nparts:\n\t- id: x\n',
      'a.yaml:3:1 error: YAML: tabs are not allowed as indentation [indent with spaces]',
    ],
    ['name: *gone\n', 'a.yaml:1:7 error: YAML: unresolved alias'],
  ])('%j', (text, expected) => {
    expect(problemsOf(text)[0]).toContain(expected);
  });

  it('aliases that unfold without end', () => {
    const levels = Array.from({ length: 9 }, (_, index) => {
      const before = index === 0 ? '"x"' : `*l${index - 1}`;
      return `l${index}: &l${index} [${Array.from({ length: 9 }, () => before).join(', ')}]`;
    });
    expect(problemsOf(levels.join('\n'))[0]).toContain('Excessive alias count');
  });
});

describe('what fits is read as YAML 1.2 core has it', () => {
  it('takes yes, on and 012 for what they are there', () => {
    const parsed = parse('name: yes\nenv: { A: on, B: "1" }\n');
    expect(parsed.ok && parsed.value.value).toMatchObject({ name: 'yes', env: { A: 'on', B: '1' } });
  });

  it('accepts a byte order mark and CRLF, and keeps the places right', () => {
    expect(problemsOf('\uFEFFname: a\r\nsize: 0\r\n')).toEqual([
      'a.yaml:2:7 error: size is 0: at least 1 is needed [write 1 or more]',
    ]);
  });

  it('finds values, keys and, for defaults, the nearest parent or the file alone', () => {
    const parsed = parse('name: &n a\nparts:\n  - id: *n\n');
    const locate = parsed.ok ? parsed.value.locate : undefined;
    expect(locate?.(['parts', 0, 'id'])).toEqual({ file: 'a.yaml', line: 3, column: 9 });
    expect(locate?.(['parts', 0, 'id'], 'key')).toEqual({ file: 'a.yaml', line: 3, column: 5 });
    expect(locate?.(['parts', 0, 'on'])).toEqual({ file: 'a.yaml', line: 3, column: 5 });
    expect(locate?.(['mode'])).toEqual({ file: 'a.yaml' });
    expect(locate?.([])).toEqual({ file: 'a.yaml', line: 1, column: 1 });
  });

  it('keeps what was written apart from defaults', () => {
    const parsed = parse('name: a\n');
    expect(parsed.ok && [parsed.value.written, parsed.value.value.size]).toEqual([{ name: 'a' }, 1]);
  });
});

describe('what is no text file is one problem', () => {
  it.each(['folder', 'pipe', 'latin1', 'none', 'none/deeper'])('%s', async (name) => {
    await using files = await scratchFolder();
    await mkdir(join(files.dir, 'folder'));
    execFileSync('mkfifo', [join(files.dir, 'pipe')]);
    await writeFile(join(files.dir, 'latin1'), Buffer.from([0x61, 0xe9]));
    const read = await readYamlFile(join(files.dir, name), Settings);
    const said = {
      folder: 'not a regular file',
      pipe: 'not a regular file',
      latin1: 'the file is not UTF-8 text',
    }[name];
    expect(read.ok ? [] : read.error.map(({ message }) => message)).toEqual([
      said ?? 'there is no such file',
    ]);
  });
});
