import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Fault } from '../../../src/model/fault.ts';
import { madeSkill, madeTask, sha256, writeFiles } from '../../unit/image/made-project.ts';
import { madeStore } from './made-store.ts';

const ALPHA = {
  'SKILL.md': '---\nname: alpha\ndescription: a\n---\nSecret of alpha\n',
  'scripts/run.sh': '#!/bin/sh\necho alpha ran\n',
};
const skills = [madeSkill('alpha', ALPHA)];
const inSkills = Object.fromEntries(
  Object.entries(ALPHA).map(([path, text]) => [`skills/alpha/${path}`, text]),
);

describe('a task image on a real engine', () => {
  test('every form of COPY works and brings no Skill', async () => {
    await using made = await madeStore(['image-forms']);
    const contextDir = join(made.folder, 'environment');
    await writeFiles(contextDir, {
      ...inSkills,
      'skills/reference.md': 'loose reference\n',
      'data.csv': 'a,b\n',
      'with space.txt': 'spaced\n',
      'run.sh*': '#!/bin/sh\n',
      Dockerfile: `ARG RELEASE=24.04
from --platform=linux/amd64 ubuntu:\${RELEASE} AS builder
copy skills /builder/skills
FROM ubuntu:24.04
ENV HOME_DIR=/root
WORKDIR /app
COPY skills /root/.claude/skills
COPY ./skills/ /root/.codex/skills/
COPY skills/alpha /verifier-skills/alpha
COPY skills/alpha/SKILL.md /opt/skill-text
COPY skills/*/scripts /opt/scripts/
COPY skills/*.md skills/alpha/SKILL.md \\
   # the comment in between
   data.csv /many/
COPY ["skills/alpha", "/json form/alpha"]
COPY ["with space.txt", "/json form/"]
ADD skills $HOME_DIR/added
COPY --chown=1000:1000 skills owned
COPY --from=builder /builder/skills /from-builder
COPY . .
RUN test -x /app/run.sh && test -d /root/.claude/skills && cat /many/data.csv
`,
    });
    const task = madeTask('image-forms', contextDir, { skills });
    const image = await made.store.taskImage(task, made.signal);
    const { index } = image;
    expect(image.way).toBe('skill-free');
    const files = [...index.entries.keys()];
    expect(files.filter((path) => /skill\.md$/i.test(path))).toEqual([]);
    expect(files.filter((path) => path.startsWith('/app'))).toEqual([
      '/app',
      '/app/Dockerfile',
      '/app/data.csv',
      '/app/owned',
      '/app/run.sh',
      '/app/skills',
      '/app/with space.txt',
    ]);
    for (const folder of [
      '/root/.claude/skills',
      '/root/.codex/skills',
      '/verifier-skills/alpha',
      '/root/added',
    ])
      expect([folder, index.entries.get(folder)?.kind, index.list(folder)]).toEqual([folder, 'folder', []]);
    expect(index.list('/many')).toEqual(['data.csv']);
    expect(index.list('/json form')).toEqual(['alpha', 'with space.txt']);
    expect(index.entries.has('/opt/skill-text')).toBe(false);
    expect(index.entries.get('/many/data.csv')?.digest).toBe(sha256('a,b\n'));
    expect(index.entries.get('/app/run.sh')?.mode).toBe(0o755);
    expect(image.skillTargets).toContainEqual({ containerPath: '/app/skills', source: '', kind: 'folder' });
    expect(image.skillTargets).toContainEqual({
      containerPath: '/opt/skill-text',
      source: 'alpha/SKILL.md',
      kind: 'file',
    });
    expect(image.skillTargets).toContainEqual({ containerPath: '/from-builder', source: '', kind: 'folder' });
  });

  test('a changed Skill keeps the image, a changed byte of the context does not, and a second checkout shares it', async () => {
    await using made = await madeStore(['image-same']);
    const first = join(made.folder, 'one', 'environment');
    const second = join(made.folder, 'two', 'environment');
    const files = {
      ...inSkills,
      'data.csv': '1\n',
      Dockerfile: 'FROM ubuntu:24.04\nCOPY skills /root/.claude/skills\nCOPY data.csv /\n',
    };
    await writeFiles(first, files);
    await writeFiles(second, {
      ...files,
      'skills/alpha/SKILL.md': ALPHA['SKILL.md'].replace('Secret', 'secret'),
    });
    const image = async (contextDir: string) =>
      (await made.again().taskImage(madeTask('image-same', contextDir, { skills }), made.signal)).id;
    const original = await image(first);
    expect(await image(first)).toBe(original);
    expect(await image(second)).toBe(original);
    const cached = made.events.flatMap((event) => (event.kind === 'build-ended' ? [event.cached] : []));
    expect(cached).toEqual([false, true, true]);
    await writeFiles(first, { 'data.csv': '2\n' });
    expect(await image(first)).not.toBe(original);
  });

  test('where a RUN uses a Skill the image is built with it, and the last layer deletes it with what was made inside', async () => {
    await using made = await madeStore(['image-deleted']);
    const contextDir = join(made.folder, 'environment');
    await writeFiles(contextDir, {
      ...inSkills,
      'skills/notes/loose.md': 'loose\n',
      'other.txt': 'stays\n',
      Dockerfile: `FROM ubuntu:24.04
COPY skills /root/.claude/skills
COPY skills /opt/shared
COPY other.txt /opt/shared/notes/
RUN cd /root/.claude/skills/alpha && sh scripts/run.sh > made-inside.txt && cp made-inside.txt /result.txt
RUN useradd --create-home worker
USER worker
`,
    });
    const task = madeTask('image-deleted', contextDir, { skills });
    const { index, way, reason, info } = await made.store.taskImage(task, made.signal);
    expect([way, reason]).toEqual(['deleted', expect.stringContaining('line 5')]);
    expect(index.list('/root/.claude/skills')).toEqual([]);
    expect(index.list('/opt/shared')).toEqual(['notes']);
    expect(index.list('/opt/shared/notes')).toEqual(['other.txt']);
    expect(index.entries.get('/result.txt')?.digest).toBe(sha256('alpha ran\n'));
    expect(info.user).toBe('worker');
  });

  test('a build that turns out to need the Skills is made with them, and the next run knows it', async () => {
    await using made = await madeStore(['image-fallback']);
    const contextDir = join(made.folder, 'environment');
    await writeFiles(contextDir, {
      ...inSkills,
      'install.sh': 'sh /root/.claude/skills/alpha/scripts/run.sh > /result.txt\n',
      Dockerfile:
        'FROM ubuntu:24.04\nCOPY skills /root/.claude/skills\nCOPY install.sh /\nRUN sh /install.sh\n',
    });
    const task = madeTask('image-fallback', contextDir, { skills });
    const image = await made.store.taskImage(task, made.signal);
    expect([image.way, image.reason]).toEqual([
      'deleted',
      expect.stringContaining('step 4, RUN sh /install.sh'),
    ]);
    expect(image.index.list('/root/.claude/skills')).toEqual([]);
    const before = made.events.length;
    expect((await made.again().taskImage(task, made.signal)).id).toBe(image.id);
    expect(made.events.slice(before).map(({ kind }) => kind)).toEqual([
      'build-started',
      'build-ended',
      'notice',
    ]);
  });

  test('a Skill that comes in by another way is found, named, and the image refused', async () => {
    await using made = await madeStore(['image-leak']);
    const contextDir = join(made.folder, 'environment');
    await writeFiles(contextDir, {
      'planted/SKILL.md': 'a marker\n',
      Dockerfile: 'FROM ubuntu:24.04\nCOPY planted /home/agent/.codex/skills/planted\n',
    });
    const failure = await made.store
      .taskImage(madeTask('image-leak', contextDir, { skills }), made.signal)
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Fault);
    expect(failure).toMatchObject({ reason: 'condition-violated', phase: 'build' });
    expect((failure as Fault).message).toContain('/home/agent/.codex/skills/planted/SKILL.md');
  });

  test("a failing step is told with the engine's own reason", async () => {
    await using made = await madeStore(['image-failing']);
    const contextDir = join(made.folder, 'environment');
    await writeFiles(contextDir, {
      Dockerfile: 'FROM ubuntu:24.04\nRUN echo about to fail && exit 7\n',
    });
    const failure = await made.store
      .taskImage(madeTask('image-failing', contextDir), made.signal)
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ reason: 'build-failed', phase: 'build' });
    expect((failure as Fault).message).toMatch(/Step 2\/\d+ : RUN echo about to fail && exit 7/);
    expect((failure as Fault).message).toMatch(/returned a non-zero code: 7/);
    expect((failure as Fault).message).toContain('about to fail');
  });

  test('a base that is neither here nor to be pulled is told with the repair', async () => {
    await using made = await madeStore(['image-absent']);
    const contextDir = join(made.folder, 'environment');
    await writeFiles(contextDir, { Dockerfile: 'FROM localhost:1/skillpair-nobody:1\n' });
    await expect(made.store.taskImage(madeTask('image-absent', contextDir), made.signal)).rejects.toThrow(
      /localhost:1\/skillpair-nobody:1.*\n.*substitute: \{ "localhost:1\/skillpair-nobody:1"/,
    );
  });
});
