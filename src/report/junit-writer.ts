import junitReportBuilder, { type Builder, type TestCase } from 'junit-report-builder';
import type { JunitCase } from './junit-case.ts';

/** The package exports the builder itself; its declarations speak of a `default` within. */
const builder = junitReportBuilder as unknown as Builder;

/** One testsuite: cases in order, with what readers use for headings and times. */
export interface JunitSuite {
  readonly name: string;
  /** ISO instant, UTC. */
  readonly timestamp: string;
  readonly hostname: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly cases: readonly JunitCase[];
}

/** What a root element says of its suites; the counts are disjoint. */
export interface JunitTotals {
  readonly tests: number;
  readonly failures: number;
  readonly errors: number;
  readonly durationMs: number;
}

/** Totals of any number of cases. */
export function totalsOf(cases: readonly JunitCase[]): JunitTotals {
  return {
    tests: cases.length,
    failures: cases.filter((one) => one.bad?.kind === 'failure').length,
    errors: cases.filter((one) => one.bad?.kind === 'error').length,
    durationMs: cases.reduce((sum, one) => sum + one.durationMs, 0),
  };
}

/** The head of a document: declaration and root element. Suites follow, then {@link JUNIT_END}. */
export function junitStart(totals: JunitTotals): string {
  const { tests, failures, errors, durationMs } = totals;
  const counts = `tests="${tests}" failures="${failures}" errors="${errors}" skipped="0"`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="skillpair" ${counts} time="${seconds(durationMs)}">\n`;
}

/** What ends a document. */
export const JUNIT_END = '</testsuites>\n';

/**
 * One suite as XML text, ready to stand in a document, with a newline at its end. Texts must be clean (xml-text.ts).
 * The builder has no call for `hostname`, nor for `line` and `timestamp` of a case: see {@link withMoreAttributes}.
 */
export function renderSuite(suite: JunitSuite): string {
  const document = builder.newBuilder();
  const element = document.testSuite().name(suite.name);
  element.timestamp(suite.timestamp);
  writtenTime(element, totalsOf(suite.cases).durationMs);
  for (const [name, value] of Object.entries(suite.properties)) element.property(name, value);
  for (const one of suite.cases) addCase(element.testCase(), one);
  const xml = document.build();
  const start = xml.indexOf('<testsuite ');
  const end = xml.lastIndexOf(
    suite.cases.length + Object.keys(suite.properties).length === 0 ? '/>' : '</testsuite>',
  );
  return `  ${withMoreAttributes(xml.slice(start, xml.indexOf('>', end) + 1), suite)}\n`;
}

/** Seconds with three decimals: never an exponent, never seventeen digits. */
export function seconds(durationMs: number): string {
  return (durationMs / 1000).toFixed(3);
}

function addCase(element: TestCase, one: JunitCase): void {
  element.className(one.classname).name(one.name).file(one.file);
  writtenTime(element, one.durationMs);
  for (const [name, value] of Object.entries(one.properties)) element.property(name, value);
  if (one.bad?.kind === 'failure') element.failure(one.bad.message, one.bad.type).stacktrace(one.bad.body);
  if (one.bad?.kind === 'error') element.error(one.bad.message, one.bad.type, one.bad.body);
  if (one.output !== '') element.standardOutput(one.output);
}

/** The builder writes the number it is given in full; text keeps the three decimals. Its type knows numbers only. */
function writtenTime(element: { time(timeInSeconds: number): unknown }, durationMs: number): void {
  element.time(seconds(durationMs) as unknown as number);
}

/**
 * Adds the attributes the builder cannot write. CDATA sections are stepped over, and an attribute value holds no
 * double quote (the builder escapes it), so nothing but the element's own attributes can match.
 */
function withMoreAttributes(xml: string, suite: JunitSuite): string {
  let next = 0;
  const cases = xml.replace(/<!\[CDATA\[[\s\S]*?\]\]>| file="[^"]*"/g, (match) => {
    if (match.startsWith('<')) return match;
    const one = suite.cases[next++];
    return `${match} line="1" timestamp="${one?.timestamp ?? suite.timestamp}"`;
  });
  return cases.replace('<testsuite ', `<testsuite hostname="${escaped(suite.hostname)}" `);
}

function escaped(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;');
}
