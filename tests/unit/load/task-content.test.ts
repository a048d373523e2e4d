import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadHarborTask } from '../../../src/load/harbor-task.ts';
import { SkillLibrary } from '../../../src/load/skill-library.ts';
import { readTaskContent } from '../../../src/load/task-content.ts';
import { scratchFolder } from './support/scratch-project.ts';

const FILES = {
  'instruction.md': 'Do it.\n',
  'environment/Dockerfile': 'FROM debian:12\n',
  'environment/skills/one/SKILL.md': '---\nname: one\ndescription: One.\n---\nBody.\n',
  'environment/repo/.git/HEAD': 'ref: refs/heads/main\n',
  'environment/repo/.git/objects/x': '',
  'environment/repo/.git/refs/x': '',
  'tests/a b/é.py': 'assert True\n',
  'solution/solve.sh': 'true\n',
};

describe('what is read of a task for checks', () => {
  it('has tests, solution and context by path, with the text of what is text, and no Skills in the context', async () => {
    await using folder = await scratchFolder(FILES);
    const { dir } = folder;
    await writeFile(join(dir, 'tests/blob.bin'), new Uint8Array([1, 0, 2]));
    await writeFile(join(dir, 'tests/large.csv'), 'x'.repeat(600_000));
    const content = await readTaskContent({ subject: 'one', dir, instruction: 'Do it.\n', skills: [] });
    expect(content.tests.map(({ path, size, text }) => [path, size, text])).toEqual([
      ['tests/a b/é.py', 12, 'assert True\n'],
      ['tests/blob.bin', 3, undefined],
      ['tests/large.csv', 600_000, undefined],
    ]);
    expect(content.context.map(({ path }) => path)).toEqual(['environment/Dockerfile']);
    expect(content.solution.map(({ path }) => path)).toEqual(['solution/solve.sh']);
    // Of the text "true\n", by sha256sum.
    expect(content.solution[0]?.digest).toBe(
      'sha256:a17fcf0a2f50e2d495e4f90ce263410edc183add6c62699a2facbccf60410f74',
    );
  });

  it('names repositories and does not read them', async () => {
    await using folder = await scratchFolder(FILES);
    const { dir } = folder;
    const content = await readTaskContent({ subject: 'one', dir, instruction: '', skills: [] });
    expect(content.repositories).toEqual(['environment/repo/.git']);
  });

  it('is nothing where the folder is nearly empty', async () => {
    await using folder = await scratchFolder();
    await mkdir(join(folder.dir, 'tests'));
    const content = await readTaskContent({ subject: 'one', dir: folder.dir, instruction: '', skills: [] });
    expect([content.tests, content.solution, content.context]).toEqual([[], [], []]);
  });
});

it('a task that an error forbids to run still says what was understood of it', async () => {
  const toml = 'version = "1.0"\n[metadata]\ndifficulty = "hard"\n[environment]\ngpus = 1\n';
  await using folder = await scratchFolder({ ...FILES, 'task.toml': toml, 'tests/test.sh': 'true\n' });
  const library = new SkillLibrary(join(folder.dir, 'none'));
  const shared = { library, isLibraryMissing: false, allowEnv: {}, needsSolution: false };
  const loaded = await loadHarborTask({ ...shared, name: 'one', dir: folder.dir });
  expect(loaded.task).toBeUndefined();
  expect(loaded.refused?.metadata.difficulty).toBe('hard');
  expect(loaded.refused?.skills.map(({ name }) => name)).toEqual(['one']);
});
