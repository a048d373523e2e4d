import { nearest } from '../base/nearest.ts';
import { err, ok, type Result } from '../base/result.ts';
import type {
  ImportedConfiguration,
  ImportedResults,
  ImportedTrial,
  TrialAverage,
} from '../model/imported-results.ts';
import type { Problem } from '../model/problem.ts';
import { type CsvTable, parseCsv, problemAt } from './read-csv.ts';
import { type ReadRow, type RowFault, readAverage, readTrial, resultKey } from './result-row.ts';

const COMMON = ['task', 'condition', 'harness', 'model', 'configuration'] as const;
const KINDS = {
  averages: { needed: ['task', 'condition', 'trials', 'mean_reward'], more: ['passes'], read: readAverage },
  trials: { needed: ['task', 'condition', 'index', 'reward'], more: ['reason'], read: readTrial },
} as const;
/** The first say what is wrong. */
const MOST_PROBLEMS = 20;

/** What a table of results holds. */
export interface ReadResults extends Pick<ImportedResults, 'configurations' | 'results'> {
  readonly rows: number;
  /** Columns that nothing was read from. */
  readonly ignored: readonly string[];
}

/**
 * A CSV table of results: means of trials (`task,harness,model,condition,trials,mean_reward` and maybe `passes`) or a trial a row
 * (`index,reward` and maybe `reason` in their place). A column `configuration` may stand for harness and model. Problems name the line.
 */
export function parseResults(text: string, path: string): Result<ReadResults, Problem[]> {
  const table = parseCsv(text, path);
  if (!table.ok) return table;
  const { columns, rows } = table.value;
  const isAverages =
    columns.includes('mean_reward') || (columns.includes('trials') && !columns.includes('reward'));
  const kind = isAverages ? 'averages' : 'trials';
  const fault = headFault(columns, kind) ?? (rows.length === 0 ? NO_ROWS : undefined);
  return fault === undefined ? readRows(table.value, kind, path) : err([problemAt(path, 1, fault)]);
}

const NO_ROWS: RowFault = {
  message: 'the table has a head and no rows',
  repair: 'add a row for each result',
};

function headFault(columns: readonly string[], kind: keyof typeof KINDS): RowFault | undefined {
  const isNamed = columns.includes('configuration') || columns.includes('harness');
  const missing = [
    ...KINDS[kind].needed.filter((name) => !columns.includes(name)),
    ...(isNamed ? [] : ['harness']),
  ];
  const [first] = missing;
  if (first === undefined) return undefined;
  const example =
    'task,harness,model,condition,trials,mean_reward or task,harness,model,condition,index,reward';
  const renamed = missing.flatMap((name) => {
    const near = nearest(name, columns);
    return near === undefined ? [] : [`did you mean "${near}"? rename it to "${name}"`];
  });
  const repair = renamed[0] ?? `a table of results has ${example}`;
  return { message: `there is no column ${missing.map((name) => `"${name}"`).join(', ')}`, repair };
}

interface Found {
  readonly averages: TrialAverage[];
  readonly trials: ImportedTrial[];
  readonly configurations: Map<string, ImportedConfiguration>;
  /** Of each result, the line it stands on. */
  readonly lines: Map<string, number>;
}

function readRows(
  { columns, rows }: CsvTable,
  kind: keyof typeof KINDS,
  path: string,
): Result<ReadResults, Problem[]> {
  const found: Found = { averages: [], trials: [], configurations: new Map(), lines: new Map() };
  const problems: Problem[] = [];
  for (const row of rows) {
    const faults: RowFault[] = [];
    const read = KINDS[kind].read(row, faults);
    if (read !== undefined && faults.length === 0) keep(read, row.line, { found, faults });
    problems.push(...faults.map((fault) => problemAt(path, row.line, fault)));
  }
  if (problems.length > 0) return err(firstOf(problems));
  const { averages, trials, configurations } = found;
  const known: readonly string[] = [...COMMON, ...KINDS[kind].needed, ...KINDS[kind].more];
  return ok({
    rows: rows.length,
    configurations: [...configurations.values()],
    results: kind === 'averages' ? { kind, averages } : { kind, trials },
    ignored: columns.filter((name) => !known.includes(name)),
  });
}

function keep(
  { result, configuration }: ReadRow,
  line: number,
  { found, faults }: { readonly found: Found; readonly faults: RowFault[] },
): void {
  const key = resultKey(result);
  const earlier = found.lines.get(key);
  if (earlier !== undefined)
    faults.push({
      message: `${key} stands on line ${earlier} already`,
      repair: 'leave one of the two lines, or correct the other',
    });
  const named = found.configurations.get(configuration.name) ?? configuration;
  if (named.harness !== configuration.harness || named.model !== configuration.model)
    faults.push({
      message: `${wordsOf(configuration)} and ${wordsOf(named)} would both be named ${named.name}`,
      repair:
        'write the same words for the same configuration, or add a column "configuration" with a name for each',
    });
  if (faults.length > 0) return;
  found.lines.set(key, line);
  found.configurations.set(named.name, named);
  if ('meanReward' in result) found.averages.push(result);
  else found.trials.push(result);
}

function wordsOf({ harness = '', model = '' }: ImportedConfiguration): string {
  return `"${harness}" with "${model}"`;
}

function firstOf(problems: readonly Problem[]): Problem[] {
  const left = problems.length - MOST_PROBLEMS;
  if (left <= 0) return [...problems];
  const message = `and ${left} more problems in this file`;
  return [...problems.slice(0, MOST_PROBLEMS), { severity: 'error', message, repair: 'mend the first ones' }];
}
