import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { attemptsOf, type Rig } from './rig.ts';

/** The reports of a run, times aside, and the names of all its files. */
export interface KeptRun {
  readonly reports: Readonly<Record<string, string>>;
  readonly files: readonly string[];
}

/** Columns of trials.csv that are times, or the id of an image that each run builds anew. */
const VARYING = ['started_at', 'duration_ms', 'agent_ms', 'image'];

/** Reads a run's reports and takes out what two undisturbed runs differ in: times, durations, ids of images. */
export async function timeless(rig: Rig, run: string): Promise<KeptRun> {
  const dir = join(rig.dir, 'runs', run);
  const files = (await filesBelow(dir)).filter((path) => !path.startsWith('reports/'));
  const names = await filesBelow(join(dir, 'reports'));
  const reports = await Promise.all(
    names.map(async (name) => [name, withoutTimes(name, await readFile(join(dir, 'reports', name), 'utf8'))]),
  );
  return { reports: Object.fromEntries(reports) as Record<string, string>, files };
}

async function filesBelow(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(dir.length + 1))
    .sort();
}

function withoutTimes(name: string, text: string): string {
  const plain = text
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z?/g, '<time>')
    .replaceAll(/ (time|timestamp)="[^"]*"/g, ' $1=""')
    .replaceAll(/name="(duration_ms|agent_ms|image|[a-z]+_ms)" value="[^"]*"/g, 'name="$1" value=""')
    .replaceAll(/sha256:[0-9a-f]{64}/g, '<digest>');
  if (name.endsWith('.csv')) return withoutColumns(plain);
  return TIMELESS[name]?.(plain) ?? plain;
}

/** What some reports have of times beside instants. */
const TIMELESS: Readonly<Record<string, (text: string) => string>> = {
  'ctrf.json': (text) => text.replaceAll(/"(start|stop|duration)":\d+/g, '"$1":0'),
  'report.md': (text) => text.replaceAll(/^\|[^|]*\| (agent's time|time of the attempt) \|.*\n/gm, ''),
  'measurement.json': (text) => {
    const measurement = JSON.parse(text) as { configurations: { resources: { resource: string }[] }[] };
    for (const figures of measurement.configurations)
      figures.resources = figures.resources.filter(({ resource }) => !resource.endsWith('-ms'));
    return JSON.stringify(measurement);
  },
};

/** None of the columns before the last of them holds a comma here. */
function withoutColumns(text: string): string {
  const [head = '', ...rows] = text.split('\n');
  const varying = new Set(VARYING.map((name) => head.split(',').indexOf(name)));
  return [
    head,
    ...rows.map((row) =>
      row
        .split(',')
        .map((cell, place) => (varying.has(place) ? '' : cell))
        .join(','),
    ),
  ].join('\n');
}

/** In what a run differs from the undisturbed one, in words. */
export function differences(expected: KeptRun, found: KeptRun): string[] {
  const names = new Set([...Object.keys(expected.reports), ...Object.keys(found.reports)]);
  const reports = [...names]
    .filter((name) => expected.reports[name] !== found.reports[name])
    .map(
      (name) =>
        `${name} differs: ${firstDifference(expected.reports[name] ?? '', found.reports[name] ?? '')}`,
    );
  const more = found.files
    .filter((path) => !expected.files.includes(path))
    .map((path) => `file left over: ${path}`);
  const less = expected.files
    .filter((path) => !found.files.includes(path))
    .map((path) => `file missing: ${path}`);
  return [...reports, ...more, ...less];
}

function firstDifference(expected: string, found: string): string {
  const [wanted, got] = [expected.split('\n'), found.split('\n')];
  const place = wanted.findIndex((line, at) => line !== got[at]);
  return `${JSON.stringify(wanted[place])} became ${JSON.stringify(got[place])}`;
}

/** Digest of the record of every trial that has its verdict. */
export async function scoredIn(rig: Rig, run: string): Promise<ReadonlyMap<string, string>> {
  const record = await rig.record(run).catch(() => undefined);
  const scored = new Map<string, string>();
  for (const attempt of record === undefined ? [] : attemptsOf(record)) {
    if (attempt.outcome.kind === 'scored')
      scored.set(attempt.trial.id, createHash('sha256').update(JSON.stringify(attempt)).digest('hex'));
  }
  return scored;
}
