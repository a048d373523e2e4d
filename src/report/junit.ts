import type { Measurement } from '../model/measurement.ts';
import type { RunRecord, TrialRecord } from '../model/run-record.ts';
import {
  caseKind,
  type JunitCase,
  type JunitContext,
  suiteName,
  trialCase,
  trialTime,
} from './junit-case.ts';
import { gatesSuite } from './junit-gates.ts';
import { JUNIT_END, type JunitSuite, type JunitTotals, junitStart, renderSuite } from './junit-writer.ts';
import type { ReportFile, ReportPart } from './report-file.ts';
import type { ReportOptions } from './report-options.ts';
import { attributeText } from './xml-text.ts';

/** Where some readers stop: cases in a file, and bytes of a file (about, by what its bodies hold). */
const MOST_CASES = 5_000;
const MOST_BYTES = 20_000_000;
/** What a case weighs beside its body. */
const CASE_BYTES = 1_200;
const MOST_BODY_BYTES = 32 * 1024;

/**
 * JUnit, as its readers really read it:
 * - `junit/gates.xml`: one case per gate and configuration, for a required check;
 * - `junit/trials/<configuration>.<condition>.xml`: one case per trial, at most 5,000 cases or about 20 MB a file; what
 *   is over goes to `….part2.xml` and on, under the same suite name;
 * - `junit.xml`: the same suites in one file, gates first, for readers that are given one path. It is not split: past
 *   those limits, point readers at the parts.
 */
export function renderJunit(
  record: RunRecord,
  measurement: Measurement,
  options: ReportOptions,
): ReportFile[] {
  const files = new Map<string, string>(record.lock.tasks.map((task) => [task.id, task.file]));
  const context: JunitContext = { lock: record.lock, options, files };
  const gates = gatesSuite(record.lock, measurement, options);
  const parts: RenderedPart[] = [
    { path: 'junit/gates.xml', totals: gates.totals, suite: () => gates },
    ...splitTrials(record.trials).map((part) => {
      const totals = trialsTotals(part.trials, options);
      return { path: part.path, totals, suite: () => suiteOf(part, totals, context) };
    }),
  ];
  return [
    ...parts.map((part) => ({ path: part.path, content: onePart(part) })),
    { path: 'junit.xml', content: combined(parts) },
  ];
}

interface Part {
  readonly path: string;
  readonly name: string;
  readonly trials: readonly TrialRecord[];
}

/** A part ready to be made. */
interface RenderedPart {
  readonly path: string;
  readonly totals: JunitTotals;
  readonly suite: () => JunitSuite;
}

async function* onePart({ totals, suite }: RenderedPart): AsyncIterable<string> {
  yield junitStart(totals);
  yield* renderSuite(suite());
  yield JUNIT_END;
}

/** The suites of all parts under one root. */
async function* combined(parts: readonly RenderedPart[]): AsyncIterable<string | ReportPart> {
  yield junitStart(parts.map(({ totals }) => totals).reduce(added));
  for (const { path, totals } of parts) {
    yield {
      partOf: path,
      skipStart: Buffer.byteLength(junitStart(totals)),
      skipEnd: Buffer.byteLength(JUNIT_END),
    };
  }
  yield JUNIT_END;
}

function suiteOf(part: Part, totals: JunitTotals, context: JunitContext): JunitSuite {
  const { configuration, condition } = (part.trials[0] as TrialRecord).trial;
  const [first = ''] = part.trials.map((record) => trialTime(record, context)).sort();
  return {
    name: part.name,
    timestamp: first,
    hostname: attributeText(context.lock.host.name),
    properties: {
      configuration: attributeText(configuration),
      condition,
      run: attributeText(context.lock.run),
      skillpair: attributeText(context.lock.skillpair),
    },
    totals,
    cases: casesOf(part.trials, context),
  };
}

function* casesOf(trials: readonly TrialRecord[], context: JunitContext): Iterable<JunitCase> {
  for (const record of trials) yield trialCase(record, context);
}

/** The trials of each suite, by suite name, in plan order, split at the limits. */
function splitTrials(trials: readonly TrialRecord[]): Part[] {
  const suites = [...Map.groupBy(trials, (record) => suiteName(record.trial))];
  return suites
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, records]) =>
      chunks(records).map((chunk, index) => ({
        path: `junit/trials/${name.replaceAll('/', '_')}${index === 0 ? '' : `.part${index + 1}`}.xml`,
        name,
        trials: chunk,
      })),
    );
}

function chunks(records: readonly TrialRecord[]): TrialRecord[][] {
  const all: TrialRecord[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const record of records) {
    const weight = CASE_BYTES + Math.min(bodyBytes(record), MOST_BODY_BYTES);
    if (bytes + weight > MOST_BYTES || (all.at(-1)?.length ?? 0) >= MOST_CASES) {
      all.push([]);
      bytes = 0;
    }
    all.at(-1)?.push(record);
    bytes += weight;
  }
  return all;
}

function bodyBytes({ outcome }: TrialRecord): number {
  if (outcome.kind === 'unscored') return Buffer.byteLength(outcome.detail);
  return outcome.verdict.tests.reduce((sum, test) => sum + Buffer.byteLength(test.message ?? ''), 0);
}

function trialsTotals(trials: readonly TrialRecord[], options: ReportOptions): JunitTotals {
  const kinds = trials.map((record) => caseKind(record, options));
  return {
    tests: trials.length,
    failures: kinds.filter((kind) => kind === 'failure').length,
    errors: kinds.filter((kind) => kind === 'error').length,
    durationMs: trials.reduce((sum, { counted }) => sum + Math.round(counted?.durationMs ?? 0), 0),
  };
}

function added(a: JunitTotals, b: JunitTotals): JunitTotals {
  return {
    tests: a.tests + b.tests,
    failures: a.failures + b.failures,
    errors: a.errors + b.errors,
    durationMs: a.durationMs + b.durationMs,
  };
}
