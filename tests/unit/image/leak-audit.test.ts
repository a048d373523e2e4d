import { describe, expect, test } from 'vitest';
import { discoveryFolders } from '../../../src/image/discovery-folders.ts';
import { type ImageUser, type IndexEntry, makeImageIndex } from '../../../src/image/image-tree.ts';
import { type AuditInput, auditImage } from '../../../src/image/leak-audit.ts';
import { DISCOVERY, type Files, madeSkill, sha256 } from './made-project.ts';

const LICENCE = 'Permission is hereby granted\n';
const ALPHA = madeSkill('alpha', {
  'SKILL.md': 'the alpha Skill\n',
  'scripts/run.py': 'print("alpha, the answer is here")\n',
  'LICENSE.txt': LICENCE,
  'scripts/__init__.py': '\n',
  'empty.txt': '',
  'shared.csv': 'a,b,c,d,e,f,g,h,i\n',
});
const AGENT: ImageUser = { name: 'agent', uid: 1000, gid: 1000, home: '/var/agent' };

/** An index of given files; folders above them are added. `-> target` makes a link. */
function indexOf(files: Files) {
  const entries = new Map<string, IndexEntry>();
  const common = { mode: 0o755, uid: 0, gid: 0 };
  for (const [path, text] of Object.entries(files)) {
    const parts = path.split('/').slice(1, -1);
    for (const at of parts.keys())
      entries.set(`/${parts.slice(0, at + 1).join('/')}`, { kind: 'folder', size: 0, ...common });
    entries.set(
      path,
      text.startsWith('-> ')
        ? { kind: 'link', size: 0, target: text.slice(3), ...common }
        : { kind: 'file', size: Buffer.byteLength(text), digest: sha256(text), ...common },
    );
  }
  return makeImageIndex('sha256:x', entries, [AGENT]);
}

function audit(files: Files, more: Partial<AuditInput> = {}) {
  return auditImage({
    index: indexOf(files),
    config: { env: ['PATH=/bin'], entrypoint: [], command: [], workingDir: '/app/work' },
    bundles: [ALPHA],
    looseFiles: [],
    discovery: DISCOVERY,
    environments: [],
    outsideDigests: new Set([sha256('a,b,c,d,e,f,g,h,i\n')]),
    skillTargets: [],
    ...more,
  });
}

describe('the leak audit', () => {
  test.each([
    ['/root/.claude/skills/x/SKILL.md'],
    ['/root/.codex/skills/x/SKILL.md'],
    ['/root/.agents/skills/x/SKILL.md'],
    ['/home/somebody/.claude/skills/x/SKILL.md'],
    ['/var/agent/.codex/skills/x/skill.md'],
    ['/etc/claude-code/.claude/skills/x/SKILL.md'],
    ['/app/work/.claude/skills/x/SKILL.md'],
    ['/app/.agents/skills/x/Skill.MD'],
    ['/.claude/skills/x/SKILL.md'],
    ['/root/.claude/skills/deep/er/SKILL.md'],
    ['/root/.claude/skills/SKILL.md'],
  ])('finds a foreign Skill at %s', (path) => {
    expect(audit({ [path]: 'a marker\n' })).toEqual([
      { severity: 'violation', code: 'skill-discoverable', path, detail: expect.any(String) as string },
    ]);
  });

  test.each([
    [
      'a linked folder of Skills',
      { '/opt/collection/x/SKILL.md': 'm\n', '/root/.claude/skills': '-> /opt/collection' },
      '/root/.claude/skills/x/SKILL.md',
    ],
    [
      'one linked Skill',
      { '/opt/x/SKILL.md': 'm\n', '/root/.codex/skills/y': '-> ../../../opt/x' },
      '/root/.codex/skills/y/SKILL.md',
    ],
    [
      'a linked SKILL.md',
      { '/opt/text.md': 'm\n', '/root/.codex/skills/y/SKILL.md': '-> /opt/text.md' },
      '/root/.codex/skills/y/SKILL.md',
    ],
    [
      'a linked settings folder',
      { '/opt/c/skills/x/SKILL.md': 'm\n', '/app/.claude': '-> /opt/c' },
      '/app/.claude/skills/x/SKILL.md',
    ],
  ])('finds %s', (_what, files, path) => {
    const violations = audit(files).filter(({ severity }) => severity === 'violation');
    expect(violations.map((finding) => finding.path)).toEqual([path]);
  });

  test.each([
    ['HOME', '/data/home/', '/data/home/.agents/skills/x/SKILL.md'],
    ['CODEX_HOME', '/data/codex', '/data/codex/skills/x/SKILL.md'],
    ['CLAUDE_CONFIG_DIR', '/data/claude', '/data/claude/skills/x/SKILL.md'],
    ['XDG_CONFIG_HOME', '/data/config', '/data/config/goose/skills/x/SKILL.md'],
  ])('finds a foreign Skill where %s=%s sends a harness', (name, value, path) => {
    const discovery = { ...DISCOVERY, home: [...DISCOVERY.home, '.config/goose/skills'] };
    const found = audit({ [path]: 'a marker\n' }, { discovery, environments: [{ [name]: value }] });
    expect(found.map((finding) => [finding.severity, finding.path])).toEqual([['violation', path]]);
    const elsewhere = audit({ [path]: 'a marker\n' }, { discovery, environments: [{ [name]: 'relative' }] });
    expect(elsewhere.map(({ severity }) => severity)).toEqual(['note']);
  });

  test('survives links in a circle', () => {
    expect(audit({ '/root/.claude/skills/again': '-> ..', '/root/.claude/skills/self': '-> .' })).toEqual([]);
  });

  test("finds a bundle's files anywhere, under whatever name", () => {
    expect(
      audit({
        '/srv/copy.txt': 'the alpha Skill\n',
        '/usr/lib/x.py': 'print("alpha, the answer is here")\n',
      }),
    ).toEqual([
      {
        severity: 'violation',
        code: 'skill-content',
        path: '/srv/copy.txt',
        detail: 'the same bytes as alpha/SKILL.md',
      },
      {
        severity: 'violation',
        code: 'skill-content',
        path: '/usr/lib/x.py',
        detail: 'the same bytes as alpha/scripts/run.py',
      },
    ]);
  });

  test('finds loose files of Skills by content', () => {
    const [entry] = madeSkill('loose', { 'reference.md': 'the loose reference\n' }).entries;
    const findings = audit(
      { '/x': 'the loose reference\n' },
      { looseFiles: entry === undefined ? [] : [entry] },
    );
    expect(findings.map(({ severity, path }) => [severity, path])).toEqual([['violation', '/x']]);
  });

  test.each([
    [
      'a folder called skills without any SKILL.md',
      { '/root/.claude/skills/readme.txt': 'none here\n', '/app/skills/x.py': 'x\n' },
    ],
    ['an empty file like one of the bundle', { '/usr/lib/empty': '' }],
    ["what the task's own context holds too", { '/app/work/data.csv': 'a,b,c,d,e,f,g,h,i\n' }],
  ])('lets %s be', (_what, files) => {
    expect(audit(files)).toEqual([]);
  });

  test.each([
    [
      'a SKILL.md of a test fixture outside all folders',
      '/app/work/tests/fixtures/SKILL.md',
      'other\n',
      'skill-elsewhere',
    ],
    ['a licence that many carry', '/usr/share/doc/x/copyright', LICENCE, 'common-content'],
    ['a file of one byte', '/usr/lib/python3/__init__.py', '\n', 'common-content'],
  ])('only notes %s', (_what, path, text, code) => {
    expect(audit({ [path]: text }).map((finding) => [finding.severity, finding.code, finding.path])).toEqual([
      ['note', code, path],
    ]);
  });

  test.each([
    [{ env: ['PYTHONPATH=/x:/root/.codex/skills/alpha/scripts'] }, 'ENV PYTHONPATH'],
    [{ entrypoint: ['/opt/tools/run', '--first'] }, 'ENTRYPOINT'],
    [{ command: ['sh', '-c', 'ls skills/alpha'] }, 'CMD'],
  ])('warns where start-up names a Skill: %j', (config, what) => {
    const findings = audit(
      {},
      {
        config: { env: [], entrypoint: [], command: [], workingDir: '/', ...config },
        skillTargets: [{ containerPath: '/opt/tools', source: '', kind: 'folder' }],
      },
    );
    expect(findings.map(({ severity, code, detail }) => [severity, code, detail.split(' names')[0]])).toEqual(
      [['warning', 'skill-named', what]],
    );
  });

  test('takes no like name for a Skill', () => {
    const config = { env: ['A=/skills/alphabet', 'B=/alpha'], entrypoint: [], command: [], workingDir: '/' };
    expect(audit({}, { config })).toEqual([]);
  });
});

test('discovery folders are absolute, sorted, each once: homes, working directory and its parents, system', () => {
  expect(
    discoveryFolders({
      discovery: { home: ['.h/skills'], project: ['.h/skills', 'p'], system: ['/etc/s'] },
      homes: ['/root', '/work', '/root'],
      workingDir: '/work/in/',
      environments: [],
    }),
  ).toEqual([
    '/.h/skills',
    '/etc/s',
    '/p',
    '/root/.h/skills',
    '/work/.h/skills',
    '/work/in/.h/skills',
    '/work/in/p',
    '/work/p',
  ]);
});
