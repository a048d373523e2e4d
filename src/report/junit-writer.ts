import junitReportBuilder, { type Builder, type TestCase } from 'junit-report-builder';
import type { JunitCase } from './junit-case.ts';

/** The package exports the builder itself; its declarations speak of a `default` within. */
const builder = junitReportBuilder as unknown as Builder;

/** Small enough to stay in young memory, large enough that a document's own cost does not count. */
const CASES_AT_A_TIME = 25;

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
 * One suite as XML text in pieces, ready to stand in a document. Texts must be clean (xml-text.ts).
 * The builder makes the cases, a few hundred at a time: it holds a whole document as a tree of objects.
 */
export function* renderSuite(suite: JunitSuite): Iterable<string> {
  const { tests, failures, errors, durationMs } = totalsOf(suite.cases);
  const counts = `tests="${tests}" failures="${failures}" errors="${errors}" skipped="0"`;
  const when = `time="${seconds(durationMs)}" timestamp="${suite.timestamp}" hostname="${escaped(suite.hostname)}"`;
  yield `  <testsuite name="${escaped(suite.name)}" ${counts} ${when}>\n`;
  const properties = Object.entries(suite.properties).map(
    ([name, value]) => `      <property name="${escaped(name)}" value="${escaped(value)}"/>\n`,
  );
  if (properties.length > 0) yield `    <properties>\n${properties.join('')}    </properties>\n`;
  for (let start = 0; start < tests; start += CASES_AT_A_TIME) {
    yield renderCases(suite.cases.slice(start, start + CASES_AT_A_TIME));
  }
  yield '  </testsuite>\n';
}

function renderCases(cases: readonly JunitCase[]): string {
  const document = builder.newBuilder();
  const element = document.testSuite();
  for (const one of cases) addCase(element.testCase(), one);
  const xml = document.build();
  const text = xml.slice(xml.indexOf('\n    <testcase ') + 1, xml.lastIndexOf('\n  </testsuite>') + 1);
  return withMoreAttributes(text, cases);
}

/** Seconds with three decimals: never an exponent, never seventeen digits. */
function seconds(durationMs: number): string {
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
 * Adds the two attributes for which the builder has no call. CDATA sections are stepped over, and an attribute value
 * holds no double quote (the builder escapes it), so nothing but a case's own `file` can match.
 */
function withMoreAttributes(xml: string, cases: readonly JunitCase[]): string {
  let next = 0;
  return xml.replace(/<!\[CDATA\[[\s\S]*?\]\]>| file="[^"]*"/g, (match) => {
    if (match.startsWith('<')) return match;
    return `${match} line="1" timestamp="${cases[next++]?.timestamp}"`;
  });
}

function escaped(text: string): string {
  return text
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/"/g, '&quot;')
    .replace(/\n/g, '&#xA;')
    .replace(/\t/g, '&#x9;');
}
