import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { program } from '../../../support/run-program.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const HARNESS = {
  schemaVersion: 1,
  version: '1.2.3',
  title: 'A tool',
  command: ['tool'],
  discovery: { home: ['.tool/skills', '.agents/skills'], project: ['.tool/skills'], system: ['/etc/tool'] },
  bundle: false,
  trajectory: 'none',
};

async function harnessFolder(dir: string, manifests: Readonly<Record<string, object>>) {
  for (const [name, manifest] of Object.entries(manifests)) {
    await mkdir(join(dir, name), { recursive: true });
    await writeFile(join(dir, name, 'harness.yaml'), JSON.stringify(manifest));
    await writeFile(join(dir, name, 'Dockerfile'), 'FROM scratch\n');
  }
}

/** Nothing answers there. */
const NO_ENGINE = { DOCKER_HOST: 'unix:///nowhere/docker.sock' };

describe('harness list', () => {
  test('tells version, protocol and number of Skill folders, and where no engine answers not what is built', async () => {
    await using folder = await temporaryFolder();
    await harnessFolder(folder.path, {
      tool: { ...HARNESS, id: 'tool' },
      'wide-tool': { ...HARNESS, id: 'wide-tool', bundle: true, protocol: 'openai-chat' },
    });
    const argv = ['harness', 'list', '--harnesses', folder.path];
    expect(await program(argv, folder.path, NO_ENGINE)).toEqual({
      exitCode: 0,
      stdout: [
        'harness    version  protocol     Skill folders  bundle',
        'tool       1.2.3    no model     4              none',
        'wide-tool  1.2.3    openai-chat  4              ?',
        '',
      ].join('\n'),
      stderr: '',
    });
    const { stdout } = await program([...argv, '--json'], folder.path, NO_ENGINE);
    expect(JSON.parse(stdout)).toMatchObject({
      schemaVersion: 1,
      harnesses: [
        { id: 'tool', discoveryFolders: 4, bundle: 'none' },
        { id: 'wide-tool', protocol: 'openai-chat', bundle: 'unknown' },
      ],
      problems: [],
    });
  });

  test('lists what is right beside what is wrong, and exits as for wrong input', async () => {
    await using folder = await temporaryFolder();
    await harnessFolder(folder.path, {
      tool: { ...HARNESS, id: 'tool' },
      wrong: { ...HARNESS, id: 'other' },
    });
    const listed = await program(['harness', 'list', '--harnesses', '.'], folder.path, NO_ENGINE);
    expect(listed.exitCode).toBe(2);
    expect(listed.stdout).toMatch(/^tool /m);
    expect(listed.stderr).toContain('the id "other" differs from the folder\'s name, "wrong"');
  });

  test('says where it looked when there is none', async () => {
    await using folder = await temporaryFolder();
    const listed = await program(['harness', 'list', '--harnesses', folder.path], folder.path, NO_ENGINE);
    expect(listed.exitCode).toBe(2);
    expect(listed.stderr).toContain('there are no harnesses in this folder');
  });
});
