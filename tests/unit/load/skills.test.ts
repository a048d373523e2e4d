import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadSkill, loadSkillFolder } from '../../../src/load/skills.ts';
import { SKILL_MD, scratchFolder } from './support/scratch-project.ts';

const messages = (problems: readonly { readonly message: string; readonly repair?: string | undefined }[]) =>
  problems.map(({ message, repair }) => `${message} [${repair}]`);

describe('one Skill', () => {
  it('goes by the name of its folder, and keeps the title of its head', async () => {
    await using files = await scratchFolder({
      'season/SKILL.md': SKILL_MD,
      'season/scripts/stl.py': 'print(1)\n',
    });
    const { skill, body, problems } = await loadSkill(join(files.dir, 'season'));
    expect(skill).toMatchObject({ name: 'season', title: 'seasonal-trend', dir: join(files.dir, 'season') });
    expect(skill?.entries.map(({ path }) => path)).toEqual(['SKILL.md', 'scripts', 'scripts/stl.py']);
    expect(body).toBe('Use STL.\n');
    expect(problems.map(({ severity }) => severity)).toEqual(['warning']);
  });

  it('keeps the bytes on disk, whatever the reader had to forgive', async () => {
    const text = '\uFEFF---\r\nname: s\r\ndescription: Use when: x\r\n---\r\nB';
    await using files = await scratchFolder({ 's/SKILL.md': text });
    const { skill } = await loadSkill(join(files.dir, 's'));
    expect(skill?.description).toBe('Use when: x');
    expect(skill?.entries[0]?.size).toBe(Buffer.byteLength(text));
  });

  it.each([
    [
      { 's/skill.md': SKILL_MD },
      "a Skill's file is called SKILL.md, and skill.md is not read [rename skill.md to SKILL.md]",
    ],
    [
      { 's/inner/SKILL.md': SKILL_MD },
      'the folder has no SKILL.md [move the files of inner up to the folder itself]',
    ],
    [{ 's/README.md': 'x' }, 'the folder has no SKILL.md [write SKILL.md in that folder]'],
    [{ s: 'x' }, 'a Skill must be a folder [put the folder itself there]'],
    [{ other: 'x' }, 'there is no such folder [correct its path]'],
  ])('is refused with its repair: %j', async (layout, expected) => {
    await using files = await scratchFolder(layout as Record<string, string>);
    const { skill, problems } = await loadSkill(join(files.dir, 's'));
    expect(skill).toBeUndefined();
    expect(messages(problems)).toEqual([expected]);
  });

  it('is warned of once for all unknown keys, and of each that is a misspelt one', async () => {
    const text = '---\nname: s\ndescription: d\ndescripton: d\nstats: 1\nauthor: x\n---\nB';
    await using files = await scratchFolder({ 's/SKILL.md': text });
    const { problems } = await loadSkill(join(files.dir, 's'));
    expect(problems.map(({ message, where }) => [message, where?.line])).toEqual([
      ['the specification has no key "descripton"; some harnesses refuse such a Skill', 4],
      ['the specification has no keys "stats", "author"; some harnesses refuse such a Skill', 5],
    ]);
  });

  it('is refused for one escaping link in it', async () => {
    await using files = await scratchFolder({ 's/SKILL.md': SKILL_MD });
    await symlink('/etc/hostname', join(files.dir, 's/host'));
    const { skill } = await loadSkill(join(files.dir, 's'));
    expect(skill).toBeUndefined();
  });
});

describe('a folder of Skills', () => {
  it('has its bundles by bytes of their names, and warns where two differ only in case', async () => {
    await using files = await scratchFolder({
      'b/SKILL.md': SKILL_MD,
      'B/SKILL.md': SKILL_MD,
      'a/SKILL.md': SKILL_MD,
    });
    const { names, problems } = await loadSkillFolder(files.dir);
    expect(names).toEqual(['B', 'a', 'b']);
    expect(messages(problems)).toEqual([
      '"b" and "B" differ only in case or Unicode form [rename one: on some file systems they are one file]',
    ]);
  });

  it('is refused where it is itself a link out of its folder', async () => {
    await using elsewhere = await scratchFolder({ 'a/SKILL.md': SKILL_MD });
    await using files = await scratchFolder();
    await symlink(elsewhere.dir, join(files.dir, 'skills'));
    const { names, problems } = await loadSkillFolder(join(files.dir, 'skills'));
    expect(names).toEqual([]);
    expect(problems.map(({ message }) => message)).toEqual([
      'the link leads out of the folder that it stands in',
    ]);
  });

  it('may hold a bundle as a link to one beside it, and refuses a link out of it without looking there', async () => {
    await using elsewhere = await scratchFolder({ 'SKILL.md': SKILL_MD });
    await using files = await scratchFolder({ 'real/SKILL.md': SKILL_MD });
    await symlink('real', join(files.dir, 'linked'));
    await symlink(elsewhere.dir, join(files.dir, 'stray'));
    const { names, problems } = await loadSkillFolder(files.dir);
    expect(names).toEqual(['linked', 'real']);
    expect(problems.map(({ severity, message }) => `${severity}: ${message}`)).toEqual([
      `error: "stray" the link leads out of the Skill, to ${elsewhere.dir}`,
    ]);
  });
});
