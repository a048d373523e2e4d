import { shortDigest } from '../base/digest.ts';
import type { RunLock } from '../model/run-lock.ts';
import type { ImportRecord } from '../model/run-record.ts';
import { formatInstant, formatMany } from './format.ts';
import { cell } from './markdown-table.ts';
import type { ReportOptions } from './report-options.ts';

const GIBIBYTE = 1024 ** 3;

/** Lines that say what was run, on what, from which bytes. Times are those of the run, not of the report. */
export function provenance(lock: RunLock, options: ReportOptions): string[] {
  const bases = Object.entries(lock.baseImages).sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    `- run \`${lock.run}\` in \`${cell(options.runPath)}\`, begun ${formatInstant(lock.createdAt)}, skillpair ${cell(lock.skillpair)}`,
    `- experiment \`${cell(lock.experimentPath)}\`, ${formatMany(lock.tasks.length, 'task')}, seed ${lock.plan.seed}, ${formatMany(lock.experiment.trials, 'trial')} per task, condition and configuration`,
    ...lock.harnesses.map(
      ({ id, version, digest }) => `- harness ${cell(id)} ${cell(version)} (\`${shortDigest(digest)}\`)`,
    ),
    `- verifiers \`${shortDigest(lock.verifiersDigest)}\``,
    ...bases.map(([name, { image, substituted }]) => {
      const what = substituted ? '**substituted by a local image**, the same in all arms' : 'resolved';
      return `- base image ${cell(name)}: ${what} (\`${shortDigest(image)}\`)`;
    }),
    `- engine ${cell(lock.engine.version)} (API ${cell(lock.engine.apiVersion)}, ${cell(lock.engine.platform)}, ${cell(lock.engine.storageDriver)})`,
    `- host ${cell(lock.host.name)}: ${formatMany(lock.host.cpus, 'CPU')}, ${(lock.host.memoryBytes / GIBIBYTE).toFixed(1)} GiB`,
  ];
}

/** Lines that say which file was imported, and that nothing else is known. */
export function importProvenance({ imported }: ImportRecord): string[] {
  const { source, results } = imported;
  const what = results.kind === 'averages' ? 'a mean of trials each' : 'a trial each';
  return [
    `- imported ${formatInstant(imported.importedAt)} by skillpair ${cell(imported.skillpair)} from ${cell(source.file)} (\`${shortDigest(source.digest)}\`): ${formatMany(source.rows, 'row')}, ${what}`,
    '- what ran, on what, when, with which images, Skills and limits is not told by such a file and is not known here',
  ];
}
