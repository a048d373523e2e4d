// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are variables of Dockerfiles.
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readContext } from '../../../src/image/context-entries.ts';
import { parseDockerfile } from '../../../src/image/dockerfile.ts';
import { resolveStages } from '../../../src/image/resolved-steps.ts';
import { type SkillFreeContext, skillFreeContext } from '../../../src/image/skill-free-context.ts';
import { type Files, sha256, temporaryFolder, writeFiles } from './made-project.ts';

const FILES: Files = {
  'skills/alpha/SKILL.md': 'alpha\n',
  'skills/alpha/scripts/run.sh*': 'run\n',
  'skills/beta/SKILL.md': 'beta\n',
  'skills/reference.md': 'loose\n',
  'data/one.csv': '1\n',
  'data.csv': '2\n',
};
const BASE = { env: ['HOME=/root', 'BASE_DIR=/base'], workingDir: '/start', user: '' };

async function read(
  dockerfile: string,
  files: Files = FILES,
  skillsPath: string | undefined = 'skills',
): Promise<SkillFreeContext> {
  await using folder = await temporaryFolder();
  await writeFiles(join(folder.path, 'environment'), files);
  const entries = await readContext(join(folder.path, 'environment'));
  const parsed = parseDockerfile('Dockerfile', dockerfile);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.error));
  const stages = resolveStages(parsed.value, () => BASE);
  return skillFreeContext({ dockerfile: parsed.value, stages, entries, skillsPath, baseEdits: [] });
}

describe('the context without Skills', () => {
  test('has an empty Skills folder, everything else as it was, and no file of a Skill', async () => {
    const { skillFree, outsideDigests } = await read('FROM a\nCOPY . .\n');
    expect(skillFree.entries.map(({ path, kind }) => `${kind} ${path}`)).toEqual([
      'folder data',
      'file data.csv',
      'file data/one.csv',
      'folder skills',
    ]);
    expect([...outsideDigests].sort()).toEqual([sha256('1\n'), sha256('2\n')].sort());
  });

  test('leaves the Dockerfile byte for byte where every copy works on an empty folder', async () => {
    const text = 'FROM a\nCOPY skills /x\nCOPY . /y\nCOPY sk* /z\n';
    expect((await read(text)).skillFree.text).toBe(text);
  });

  const all = (containerPath: string) => ({ containerPath, source: '', kind: 'folder' });
  const folder = (containerPath: string, source: string) => ({ containerPath, source, kind: 'folder' });
  const file = (containerPath: string, source: string) => ({ containerPath, source, kind: 'file' });
  test.each([
    ['COPY skills /root/.claude/skills', undefined, [all('/root/.claude/skills')]],
    ['COPY skills/ /app/skills/', undefined, [all('/app/skills')]],
    ['COPY ./skills there', undefined, [all('/start/there')]],
    ['COPY /skills ${HOME}/.codex/skills', undefined, [all('/root/.codex/skills')]],
    ['COPY "skills" $BASE_DIR/skills', undefined, [all('/base/skills')]],
    ['add skills /x', undefined, [all('/x')]],
    ['COPY . .', undefined, [all('/start/skills')]],
    ['COPY ./ /app', undefined, [all('/app/skills')]],
    ['COPY * /app/', undefined, [all('/app')]],
    ['COPY skill? /app/', undefined, [all('/app')]],
    ['COPY --chown=1000:1000 skills /x', undefined, [all('/x')]],
    ['COPY ["skills", "/with space"]', undefined, [all('/with space')]],
    ['COPY skills data.csv /both/', undefined, [all('/both')]],
    ['COPY skills/alpha /v/alpha', 'COPY skills /v/alpha', [folder('/v/alpha', 'alpha')]],
    ['COPY skills/alpha/ /v/alpha/', 'COPY skills /v/alpha/', [folder('/v/alpha', 'alpha')]],
    ['COPY ["skills/alpha", "/v"]', 'COPY ["skills", "/v"]', [folder('/v', 'alpha')]],
    [
      'COPY skills/* /v/',
      'COPY skills /v/',
      [folder('/v', 'alpha'), folder('/v', 'beta'), file('/v/reference.md', 'reference.md')],
    ],
    [
      'COPY skills/*/SKILL.md /v/',
      'COPY skills /v/',
      [file('/v/SKILL.md', 'alpha/SKILL.md'), file('/v/SKILL.md', 'beta/SKILL.md')],
    ],
    ['COPY skills/alpha/SKILL.md /v/', 'COPY skills /v/', [file('/v/SKILL.md', 'alpha/SKILL.md')]],
    ['COPY skills/alpha/SKILL.md /v/text.md', 'COPY skills /v/', [file('/v/text.md', 'alpha/SKILL.md')]],
    ['COPY skills/reference.md note', 'COPY skills /start/', [file('/start/note', 'reference.md')]],
    [
      'COPY skills/alpha \\\n  # not skills/beta\n  skills/beta data.csv /v/',
      'COPY skills \\\n  # not skills/beta\n  skills data.csv /v/',
      [folder('/v', 'alpha'), folder('/v', 'beta')],
    ],
    ['COPY data /x', undefined, []],
    ['COPY data/skills.csv* /x/', undefined, []],
    ['ADD https://example.invalid/skills /x', undefined, []],
  ])('%s', async (line, rewritten, targets) => {
    const { skillFree, skillTargets } = await read(`FROM a\n${line}\n`);
    expect(skillFree.text).toBe(`FROM a\n${rewritten ?? line}\n`);
    expect(skillTargets).toEqual(targets);
  });

  test('follows Skills through stages, and forgets those of stages that end nowhere', async () => {
    const { skillTargets, skillFree } = await read(`FROM a AS one
WORKDIR /w
COPY skills s
FROM a AS two
COPY --from=one /w/s/alpha /alpha
COPY --from=0 /w /everything
FROM two
COPY --from=one /elsewhere /nothing
`);
    expect(skillTargets).toEqual([folder('/alpha', 'alpha'), all('/everything/s')]);
    expect(skillFree.text).toContain('COPY --from=one /w/s/alpha /alpha');
  });

  test('expands what ENV and ARG said before, not after', async () => {
    const { skillTargets } = await read(`ARG ROOT=/global
FROM a
ARG ROOT
ARG NAME=tool
ENV PLACE=\${ROOT}/$NAME OTHER=$PLACE
COPY skills $PLACE
COPY skills /o$OTHER
ENV PLACE=/late
WORKDIR $PLACE
WORKDIR below
COPY skills .
`);
    expect(skillTargets.map(({ containerPath }) => containerPath)).toEqual([
      '/global/tool',
      '/o',
      '/late/below',
    ]);
  });

  test('sees through links of the context that lead to Skills', async () => {
    const { skillFree, skillTargets } = await read('FROM a\nCOPY shortcut /x\nCOPY toFile /y\n', {
      ...FILES,
      shortcut: '-> skills/alpha',
      toFile: '-> ./skills/beta/SKILL.md',
    });
    expect(skillFree.text).toBe('FROM a\nCOPY skills /x\nCOPY skills /\n');
    expect(skillTargets).toEqual([folder('/x', 'alpha'), file('/y', 'beta/SKILL.md')]);
  });

  test('of a task whose context holds no Skills is the context', async () => {
    const { skillFree, deleted, skillTargets } = await read('FROM a\nCOPY . .\n', { 'data.csv': '2\n' });
    expect(skillFree).toEqual(deleted);
    expect([skillFree.entries.map(({ path }) => path), skillTargets]).toEqual([['data.csv'], []]);
  });

  test('has no Skills folder where .dockerignore hides it', async () => {
    const { skillFree, skillTargets } = await read('FROM a\nCOPY . .\n', {
      ...FILES,
      '.dockerignore': 'skills\n',
    });
    expect(skillFree.entries.map(({ path }) => path)).toEqual([
      '.dockerignore',
      'data',
      'data.csv',
      'data/one.csv',
    ]);
    expect(skillTargets).toEqual([]);
  });
});

describe('the need for Skills while building', () => {
  test.each([
    ['RUN cd /root/.claude/skills/alpha && npm install', /uses \/root\/.claude\/skills/],
    ['RUN cd /root/.claude/skills && ls', /goes into/],
    ['RUN pip install -r ~/.claude/skills/alpha/requirements.txt', /uses/],
    ['RUN for d in /root/.claude/skills/*; do ls $d; done', /uses/],
    ['WORKDIR /root/.claude/skills/alpha\nRUN npm install', /works in/],
    ['WORKDIR /root/.claude\nRUN ./skills/alpha/scripts/run.sh', /uses/],
    ['ENV S=/root/.claude/skills\nRUN sh $S/alpha/scripts/run.sh', /uses/],
    ['RUN find / -path "*/skills/beta/*" -name x.sh', /names the Skill "beta"/],
    ['RUN ["sh", "/root/.claude/skills/alpha/scripts/run.sh"]', /uses/],
  ])('is seen in %s', async (line, reason) => {
    const { skillUse } = await read(`FROM a\nCOPY skills /root/.claude/skills\n${line}\n`);
    expect(skillUse).toMatch(reason);
  });

  test.each([
    ['RUN mkdir -p /root/.claude/skills && chmod -R 755 /root/.claude/skills'],
    ['RUN cp -r /root/.claude/skills /opt/other'],
    ['RUN ls /root/.claude/skills/ && echo done'],
    ['RUN apt-get install -y alpha beta'],
    ['RUN echo /root/.claude/skills-of-others/alpha'],
    ['RUN cat /data/alpha/file'],
    ['# cd /root/.claude/skills/alpha\nRUN true'],
  ])('is not seen in %s', async (line) => {
    const { skillUse } = await read(`FROM a\nCOPY skills /root/.claude/skills\n${line}\n`);
    expect(skillUse).toBeUndefined();
  });

  test('is not seen before the copy, nor in another stage', async () => {
    const { skillUse } = await read(`FROM a AS one
COPY skills /s
FROM a
RUN ls /s/alpha
COPY skills /t
`);
    expect(skillUse).toBeUndefined();
  });
});

describe('the build that deletes Skills last', () => {
  test('removes bundles whole and other entries one by one, as root, and restores the user', async () => {
    const { deleted } = await read(
      'FROM a\nCOPY skills /x\nCOPY skills/alpha /v/alpha\nCOPY skills/alpha /mixed\nUSER worker\nRUN sh /x/alpha/scripts/run.sh\n',
      { ...FILES, 'skills/licenses/MIT.txt': 'mit\n' },
    );
    expect(deleted.entries.map(({ path }) => path)).toContain('skills/alpha/SKILL.md');
    expect(deleted.text.split('\n').slice(6)).toEqual([
      'USER root',
      'RUN ["rm","-rf","--","/mixed/SKILL.md","/mixed/scripts/run.sh","/v/alpha","/x/alpha","/x/beta","/x/licenses/MIT.txt","/x/reference.md"]',
      'RUN ["sh","-c","for folder; do rmdir -- \\"$folder\\" 2>/dev/null; done; true","sh","/mixed/scripts","/x/licenses"]',
      'USER worker',
      '',
    ]);
  });

  test('splits a long list over several steps', async () => {
    const many = Object.fromEntries(Array.from({ length: 900 }, (_, at) => [`skills/loose-${at}.md`, 'x']));
    const { deleted } = await read('FROM a\nCOPY skills /x\n', many);
    const steps = deleted.text.split('\n').filter((line) => line.startsWith('RUN ["rm"'));
    expect(steps.map((line) => (JSON.parse(line.slice(4)) as string[]).length - 3)).toEqual([400, 400, 100]);
  });
});
