import { digestBytes } from '../../../../src/base/digest.ts';
import { parseDockerfile } from '../../../../src/image/dockerfile.ts';
import type { LintedTask } from '../../../../src/lint/task/task-rule.ts';
import { lintTask } from '../../../../src/lint/task/task-rules.ts';
import type { ContentFile } from '../../../../src/model/task-content.ts';

/** Files by path: `tests/…`, `solution/…`, `environment/…`, `instruction.md`, and `skills/<name>/…`. */
export type TaskFiles = Readonly<Record<string, string>>;

/** A task that no rule has anything to say of. */
const SOUND: TaskFiles = {
  'instruction.md': 'Write the mean of /workspace/data.csv to /workspace/out/mean.txt.\n',
  'environment/Dockerfile': 'FROM skillpair/base:1\nCOPY data.csv /workspace/data.csv\n',
  'environment/data.csv': 'value\n1\n2\n',
  'solution/solve.sh': 'awk "NR>1 {s+=\\$1; n++} END {print s/n}" /workspace/data.csv\n',
  'almost-right/solve.sh': 'awk "{s+=\\$1; n++} END {print s/n}" /workspace/data.csv\n',
  'tests/test_outputs.py':
    'def test_mean():\n    assert open("/workspace/out/mean.txt").read().strip() == "1.5"\n',
  'skills/averages/SKILL.md': '---\nname: averages\ndescription: Averages.\n---\nMind the gaps.\n',
};

function file(path: string, hostPath: string, text: string): ContentFile {
  return { path, hostPath, size: Buffer.byteLength(text), digest: digestBytes(text), text };
}

/** The sound task with some files changed or added, as the rules see it. */
export function lintedTask(changes: TaskFiles = {}, more: Partial<LintedTask> = {}): LintedTask {
  const files = { ...SOUND, ...changes };
  const paths = Object.keys(files);
  const area = (name: string) =>
    paths.filter((path) => path.startsWith(`${name}/`)).map((path) => file(path, path, files[path] ?? ''));
  const names = [...new Set(area('skills').map(({ path }) => path.split('/')[1] ?? ''))];
  const dockerfile = parseDockerfile('environment/Dockerfile', files['environment/Dockerfile'] ?? '');
  return {
    subject: 'station-log',
    dir: '',
    format: 'native',
    instruction: files['instruction.md'] ?? '',
    tests: area('tests'),
    solution: area('solution'),
    almostRight: area('almost-right'),
    context: area('environment'),
    repositories: [],
    skills: names.map((name) => {
      const root = `skills/${name}`;
      const own = area(root).map((each) => ({ ...each, path: each.path.slice(root.length + 1) }));
      const [, , body = ''] = (files[`${root}/SKILL.md`] ?? '').split('---\n');
      const skill = { name, title: name, description: '', dir: root, digest: 'sha256:0', entries: [] };
      return { skill, body, files: own };
    }),
    dockerfile: dockerfile.ok ? dockerfile.value : undefined,
    ...more,
  };
}

/** What the rules say, one line each: `rule file:line severity: message`. */
export function said(changes: TaskFiles = {}, more: Partial<LintedTask> = {}): string[] {
  return lintTask(lintedTask(changes, more)).map(({ rule, where, severity, message }) =>
    [rule, `${where?.file}:${where?.line ?? ''}`, `${severity}:`, message].join(' '),
  );
}
