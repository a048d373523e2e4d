import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Random, seededRandom } from '../../src/base/random.ts';

const WORDS =
  'water level gauge river station table column row value mean sum rate factor index series sample model curve limit report'.split(
    ' ',
  );
/** Where the Dockerfiles of the public benchmark put the Skills. */
const PLACES = 'claude codex opencode goose factory agents gemini qwen cursor terminus'.split(' ');
/** Skills of five tasks in a row: 2.6 on average. */
const SKILLS = [1, 2, 3, 3, 4];

/** Writes tasks in the shape of the public ones: 15 files each, ten COPY lines for 2.6 Skills, a test and a solution of some size. */
export async function writeMadeTasks(dir: string, count: number): Promise<void> {
  for (let at = 0; at < count; at++) {
    const files = taskFiles(at);
    for (const [path, text] of Object.entries(files)) {
      const file = join(dir, `task-${String(at).padStart(3, '0')}`, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    }
  }
}

function taskFiles(at: number): Readonly<Record<string, string>> {
  const random = seededRandom(at);
  const skills = SKILLS[at % SKILLS.length] ?? 1;
  const files: Record<string, string> = {
    'task.toml': `version = "1.0"\n[metadata]\ndifficulty = "hard"\ncategory = "made"\n[agent]\ntimeout_sec = 900.0\n[verifier]\ntimeout_sec = 900.0\n[environment]\ncpus = 1\nmemory = "2G"\n`,
    'instruction.md': `${prose(random, 30)}\nWrite the result to /root/result.csv.\n`,
    'environment/Dockerfile': dockerfile(),
    'environment/data/input.csv': csv(random, 2_000),
    'solution/solve.sh': '#!/bin/bash\nset -euo pipefail\npython3 /solution/solve.py\n',
    'solution/solve.py': code(random, 150),
    'tests/test.sh':
      'pip3 install pytest==8.4.1\npytest /tests/test_outputs.py\necho 1 > /logs/verifier/reward.txt\n',
    'tests/test_outputs.py': tests(random, 12),
  };
  for (let skill = 0; skill < skills; skill++) {
    const root = `environment/skills/skill-${skill}`;
    const head = `---\nname: skill-${skill}\ndescription: ${prose(random, 1).trim()} Use it when ${WORDS[skill]} matters.\n---\n`;
    files[`${root}/SKILL.md`] = `${head}# Skill\n\n${prose(random, 200)}`;
  }
  for (let extra = 0; Object.keys(files).length < 15; extra++)
    files[`environment/skills/skill-0/scripts/part_${extra}.py`] = code(random, 200);
  return files;
}

function dockerfile(): string {
  const copies = PLACES.map((place) => `COPY skills /root/.${place}/skills\n`).join('');
  return `FROM ubuntu:24.04\nRUN apt-get update && apt-get install -y python3 python3-pip\nWORKDIR /root\nCOPY data /root/data\n${copies}`;
}

function pick(random: Random): string {
  return WORDS[Math.floor(random() * WORDS.length)] ?? '';
}

function prose(random: Random, lines: number): string {
  const line = () => `${Array.from({ length: 14 }, () => pick(random)).join(' ')}.\n`;
  return Array.from({ length: lines }, line).join('');
}

function code(random: Random, lines: number): string {
  const line = () =>
    `${pick(random)}_${pick(random)} = compute(${pick(random)}_${pick(random)}, ${random() * 1000})\n`;
  return Array.from({ length: lines }, line).join('');
}

function csv(random: Random, rows: number): string {
  return Array.from({ length: rows }, (_, row) => `${row},${random().toFixed(6)},${pick(random)}\n`).join('');
}

function tests(random: Random, count: number): string {
  const one = (_: unknown, at: number) =>
    `def test_${at}():\n    rows = read("/root/result.csv")\n${code(random, 8).replace(/^/gm, '    ').trimEnd()}\n    assert rows[${at}] == ${random() * 1000}\n\n`;
  return Array.from({ length: count }, one).join('');
}
