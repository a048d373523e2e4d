import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { DiscoveryFile } from '../src/load/discovery-file.ts';
import { MachineSettingsFile } from '../src/load/machine-settings.ts';
import { SkillHead } from '../src/load/skill-head.ts';
import { TaskFile } from '../src/load/task-file.ts';
import { AttemptRecord } from '../src/model/attempt.ts';
import { Comparison } from '../src/model/comparison.ts';
import { RunEvent } from '../src/model/event.ts';
import { Experiment } from '../src/model/experiment.ts';
import { HarnessManifest } from '../src/model/harness.ts';
import { ImportManifest } from '../src/model/import-manifest.ts';
import { ImportedResults } from '../src/model/imported-results.ts';
import { Measurement } from '../src/model/measurement.ts';
import { ModelScript } from '../src/model/model-script.ts';
import { RunLock } from '../src/model/run-lock.ts';
import { SkillListing } from '../src/model/skill-listing.ts';
import { Trajectory } from '../src/model/trajectory.ts';

/** Written last into the files of a run; absent in those that older versions wrote. */
const SEAL = {
  checksum: z
    .string()
    .regex(/^crc32:[0-9a-f]{8}$/)
    .optional(),
};

/** Files that people write are described as written (defaults left out), files that we write as they stand on disk. */
const SCHEMAS = {
  experiment: { schema: Experiment, io: 'input', title: 'An experiment: experiments/*.yaml' },
  task: { schema: TaskFile, io: 'input', title: 'A task: tasks/<id>/task.yaml' },
  harness: { schema: HarnessManifest, io: 'input', title: 'A harness: harnesses/<id>/harness.yaml' },
  discovery: {
    schema: DiscoveryFile,
    io: 'input',
    title: 'Skill folders of agents: harnesses/discovery.yaml',
  },
  'machine-settings': { schema: MachineSettingsFile, io: 'input', title: 'Image settings of one machine' },
  'skill-listing': {
    schema: SkillListing,
    io: 'input',
    title: 'How a harness lists Skills: harnesses/<id>/skill-listing.yaml',
  },
  'skill-head': { schema: SkillHead, io: 'input', title: 'The head of a SKILL.md' },
  'model-script': {
    schema: ModelScript,
    io: 'input',
    title: 'A script instead of a model: models.script of an experiment',
  },
  'import-manifest': {
    schema: ImportManifest,
    io: 'output',
    title: 'What an imported task came with: skillpair-import.json',
  },
  attempt: { schema: AttemptRecord.extend(SEAL), io: 'output', title: 'One attempt: attempt.json' },
  'imported-results': {
    schema: ImportedResults.extend(SEAL),
    io: 'output',
    title: 'Results that another program made: import.json',
  },
  trajectory: { schema: Trajectory, io: 'output', title: 'What an agent said and did: trajectory.json' },
  'run-lock': { schema: RunLock.extend(SEAL), io: 'output', title: 'What a run is pinned to: run.json' },
  measurement: { schema: Measurement, io: 'output', title: 'The figures of a run: measurement.json' },
  comparison: { schema: Comparison, io: 'output', title: 'Two runs compared: skillpair compare --json' },
  event: { schema: RunEvent, io: 'output', title: 'One line of events.jsonl' },
} as const;

/** The JSON Schemas as text, by file name. */
function exported(): Map<string, string> {
  const files = new Map<string, string>();
  for (const [name, { schema, io, title }] of Object.entries(SCHEMAS)) {
    const { $schema, ...rest } = z.toJSONSchema(schema, { io });
    files.set(`${name}.json`, `${JSON.stringify({ $schema, title, ...rest }, undefined, 2)}\n`);
  }
  return files;
}

const folder = join(import.meta.dirname, '..', 'schemas');
const onlyCheck = process.argv.includes('--check');
const differing: string[] = [];
for (const [file, text] of exported()) {
  const path = join(folder, file);
  if ((await readFile(path, 'utf8').catch(() => '')) === text) continue;
  differing.push(file);
  if (onlyCheck) continue;
  await mkdir(folder, { recursive: true });
  await writeFile(path, text);
}
if (differing.length === 0) console.log(`schemas: all ${exported().size} are as the source says`);
else if (onlyCheck) {
  console.error(`schemas: ${differing.join(', ')} differ from the source; run "node scripts/schemas.ts"`);
  process.exitCode = 1;
} else console.log(`schemas: wrote ${differing.join(', ')}`);
