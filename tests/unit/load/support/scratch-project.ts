import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Files by path; `null` takes one of the base away. */
export type Files = Readonly<Record<string, string | null>>;

/** A folder of its own with the given files, removed at the end of the test. */
export async function scratchFolder(files: Files = {}): Promise<{ dir: string } & AsyncDisposable> {
  const dir = await realpath(await mkdtemp(join(tmpdir(), 'skillpair-load-')));
  for (const [path, content] of Object.entries(files)) {
    if (content === null) continue;
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), content);
  }
  return { dir, [Symbol.asyncDispose]: () => rm(dir, { recursive: true, force: true }) };
}

export const TASK_YAML = `schemaVersion: 1
title: Mean temperature
domain: natural-science
capability: time-series-analysis
difficulty: core
skills: [seasonal-trend]
verifier:
  outputs: [/workspace/out]
`;

export const SKILL_MD = `---
name: seasonal-trend
description: Splits a series into season and trend.
---
Use STL.
`;

const harness = (id: string, rest = '') => `schemaVersion: 1
id: ${id}
version: 1.0.0
title: ${id}
command: [sh, -c, "exit 0"]
discovery: { home: [.${id}/skills], project: [], system: [] }
bundle: false
trajectory: none
${rest}`;

/** A whole small project that loads without a word. */
export const BASE: Files = {
  'experiments/demo.yaml': `schemaVersion: 1
name: demo
configurations:
  - harness: nop
`,
  'tasks/climate/task.yaml': TASK_YAML,
  'tasks/climate/instruction.md': 'Compute the mean temperature and write it to /workspace/out/mean.txt.\n',
  'tasks/climate/environment/Dockerfile': 'FROM skillpair/base:1\n',
  'tasks/climate/solution/solve.sh': 'echo 1 > /workspace/out/mean.txt\n',
  'tasks/climate/tests/test_outputs.py': 'def test_mean():\n    assert True\n',
  'skills/seasonal-trend/SKILL.md': SKILL_MD,
  'harnesses/discovery.yaml':
    'schemaVersion: 1\nhome: [.claude/skills]\nproject: []\nsystem: [/etc/codex/skills]\n',
  'harnesses/nop/harness.yaml': harness('nop', 'special: nop\n'),
  'harnesses/oracle/harness.yaml': harness('oracle', 'special: oracle\n'),
  'harnesses/claude/harness.yaml': harness('claude', 'protocol: anthropic-messages\n'),
  'verifiers/run-pytest.sh': 'exit 0\n',
};

/** {@link BASE} with some files changed, added or (null) left out. */
export function scratchProject(changes: Files = {}) {
  return scratchFolder({ ...BASE, ...changes });
}
