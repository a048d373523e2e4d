import { describe, expect, it } from 'vitest';
import type { Skill } from '../../../src/model/skill.ts';
import { missingParents, placedTar, placeSkills } from '../../../src/run/placement.ts';

const file = (path: string) => ({
  path,
  kind: 'file' as const,
  mode: 0o644,
  size: 1,
  digest: `sha256:${'0'.repeat(64)}`,
  hostPath: `/host/${path}`,
});
const skill = (name: string, ...paths: string[]): Skill => ({
  name,
  title: name,
  description: 'd',
  dir: `/host/${name}`,
  digest: `sha256:${'1'.repeat(64)}`,
  entries: paths.map(file),
});

describe('placeSkills', () => {
  it('puts every bundle under its name into every folder', () => {
    const folders = [
      { dir: '/root/.a/skills', subPath: '' },
      { dir: '/app/.b', subPath: '' },
    ];
    const placed = placeSkills(folders, [skill('alpha', 'SKILL.md')], []);
    expect(placed.map((entry) => entry.containerPath)).toEqual([
      '/app/.b/alpha',
      '/app/.b/alpha/SKILL.md',
      '/root/.a/skills/alpha',
      '/root/.a/skills/alpha/SKILL.md',
    ]);
  });

  it('puts the content of one bundle where a Dockerfile copied that bundle alone', () => {
    const placed = placeSkills(
      [{ dir: '/opt/mail', subPath: 'mail' }],
      [skill('mail', 'SKILL.md'), skill('other', 'SKILL.md')],
      [],
    );
    expect(placed.map((entry) => entry.containerPath)).toEqual(['/opt/mail/SKILL.md']);
  });

  it('carries loose files beside the bundles', () => {
    const placed = placeSkills([{ dir: '/s', subPath: '' }], [], [file('reference.md')]);
    expect(placed.map((entry) => entry.containerPath)).toEqual(['/s/reference.md']);
  });
});

describe('missingParents', () => {
  it('names only folders that the image lacks, outermost first', () => {
    const image = new Set(['/home', '/home/agent']);
    expect(missingParents(['/home/agent/.agents/skills/a'], (path) => image.has(path))).toEqual([
      '/home/agent/.agents',
      '/home/agent/.agents/skills',
    ]);
  });
});

describe('placedTar', () => {
  it('gives everything created, parents included, to the agent’s user', () => {
    const placed = placeSkills([{ dir: '/s/t', subPath: '' }], [skill('a', 'SKILL.md')], []);
    const entries = placedTar(placed, ['/s', '/s/t'], { uid: 1000, gid: 1001 });
    expect(entries.map(({ path, kind, uid, gid }) => [path, kind, uid, gid])).toEqual([
      ['s', 'folder', 1000, 1001],
      ['s/t', 'folder', 1000, 1001],
      ['s/t/a', 'folder', 1000, 1001],
      ['s/t/a/SKILL.md', 'file', 1000, 1001],
    ]);
  });
});
