import { readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';
import { z } from 'zod';
import { atomicWrite } from '../src/base/atomic-write.ts';
import { CANARY_EXPERIMENT, loadExperiment } from '../src/cli/load-experiment.ts';
import { readTasks } from '../src/cli/read-tasks.ts';
import { lookAtStates } from '../src/cli/task-state.ts';
import type { RunRecord } from '../src/model/run-record.ts';
import { baseNames } from './base-names.ts';
import { type CorpusRuns, readCorpusRuns } from './corpus-runs.ts';
import { type CorpusTask, corpusCounts, corpusTable } from './corpus-table.ts';
import { runMain, SetupFailure } from './setup-failure.ts';
import { standInFor } from './stand-in-names.ts';
import { ROOT } from './state-file.ts';

const NOTES = join(ROOT, 'docs', 'corpus-notes.yaml');
const OUT = join(ROOT, 'docs', 'corpus-results.md');

/** `npm run corpus-results -- --runs <folder of runs> [<title>=]<folder of tasks> ...`: writes docs/corpus-results.md from run folders. */
async function corpusResults(args: readonly string[]): Promise<number> {
  const options = { runs: { type: 'string' } } as const;
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
  if (values.runs === undefined || positionals.length === 0) {
    throw new SetupFailure('it takes a folder of runs and folders of tasks', {
      repair: 'npm run corpus-results -- --runs <folder> [<title>=]<folder of tasks> ...',
    });
  }
  const runs = await readCorpusRuns(resolve(values.runs));
  const notes = z.record(z.string(), z.string()).parse(parse(await readFile(NOTES, 'utf8')));
  const sections: string[] = [];
  const counts: string[] = [];
  for (const given of positionals) {
    const [folder = given, title = basename(folder)] = given.split('=', 2).toReversed();
    const tasks = await corpusTasks(folder, runs, notes);
    counts.push(...corpusCounts(title, tasks));
    sections.push(`## ${title}`, '', ...corpusTable(tasks), '');
  }
  const text = [...head(runs.records), '', ...counts, '', ...sections].join('\n');
  await atomicWrite(OUT, `${text.trimEnd()}\n`);
  console.error(`wrote ${OUT}`);
  return 0;
}

async function corpusTasks(
  folder: string,
  runs: CorpusRuns,
  notes: Readonly<Record<string, string>>,
): Promise<readonly CorpusTask[]> {
  const environment = { cwd: process.cwd(), env: process.env };
  const project = await loadExperiment(environment, CANARY_EXPERIMENT);
  const seen = await lookAtStates(await readTasks(environment.cwd, [folder], undefined), project, undefined);
  return Promise.all(
    seen.map(async (task) => ({
      id: task.name,
      refusals: task.state.kind === 'cannot-run' ? task.state.reasons : [],
      lackedImages: (await baseNames(task)).filter((name) => standInFor(name, false) === undefined),
      note: notes[task.name],
      buildSeconds: runs.builds.get(task.name),
      trials: runs.trials.filter((trial) => trial.task === task.name),
    })),
  );
}

function head(records: readonly RunRecord[]): readonly string[] {
  const last = records.at(-1)?.lock;
  const first = records[0]?.lock;
  if (first === undefined || last === undefined)
    throw new SetupFailure('the folder has no runs', { repair: 'run first' });
  const [from, to] = [first.createdAt.slice(0, 10), last.createdAt.slice(0, 10)];
  const days = from === to ? `on ${from}` : `from ${from} to ${to}`;
  const { host, engine } = last;
  return [
    '# Public tasks, run unchanged',
    '',
    `What each task of two public corpora came to ${days}, on ${host.cpus} CPUs with ${Math.round(host.memoryBytes / 2 ** 30)} GiB of memory and`,
    `engine ${engine.version}, every base image a [stand-in](offline.md). The page is written by \`npm run corpus-results\` from the run folders;`,
    '[how to redo it](offline.md#a-public-corpus-run-so). Other work went on on that machine, so seconds are no measure of the tasks.',
    '',
    '`oracle` is the reference solution, `nop` does nothing. Cells hold the verdict, or the [reason](troubleshooting.md#trials-without-a-verdict)',
    'why there is none; an empty one was not tried. Build is the build of the image where one was made, agent the oracle, verify its verifier',
    'with all that it installs.',
    ...otherStandIns(records),
  ];
}

/** Runs that were made with other images than those of `npm run stand-ins`. */
function otherStandIns(records: readonly RunRecord[]): readonly string[] {
  const isOurs = (image: string) => image.startsWith('skillpair/');
  const others = records.filter(
    ({ lock }) => !Object.values(lock.experiment.images.substitute).every(isOurs),
  );
  if (others.length === 0) return [];
  return [
    '',
    `Made with other local images in the place of the bases: ${others.map(({ lock }) => lock.run).join(', ')}.`,
  ];
}

await runMain(() => corpusResults(process.argv.slice(2)));
