import type { JunitCase } from './junit-case.ts';
import { renderCase, seconds } from './junit-template.ts';
import { attributeMarkup } from './xml-text.ts';

/** Cases in one piece of text. */
const CASES_AT_A_TIME = 100;

/** One testsuite: cases in order, with what readers use for headings and times. */
export interface JunitSuite {
  readonly name: string;
  /** ISO instant, UTC. */
  readonly timestamp: string;
  readonly hostname: string;
  readonly properties: Readonly<Record<string, string>>;
  /** Of `cases`. */
  readonly totals: JunitTotals;
  /** Read once, and made while they are read where there may be many. */
  readonly cases: Iterable<JunitCase>;
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
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="skillpair" ${totalsText(totals)}>\n`;
}

/** What ends a document. */
export const JUNIT_END = '</testsuites>\n';

/** One suite as XML text in pieces, ready to stand in a document. Texts must be clean (xml-text.ts). */
export function* renderSuite(suite: JunitSuite): Iterable<string> {
  const when = `timestamp="${suite.timestamp}" hostname="${attributeMarkup(suite.hostname)}"`;
  yield `  <testsuite name="${attributeMarkup(suite.name)}" ${totalsText(suite.totals)} ${when}>\n`;
  const properties = Object.entries(suite.properties).map(
    ([name, value]) =>
      `      <property name="${attributeMarkup(name)}" value="${attributeMarkup(value)}"/>\n`,
  );
  if (properties.length > 0) yield `    <properties>\n${properties.join('')}    </properties>\n`;
  let text = '';
  let count = 0;
  for (const one of suite.cases) {
    text += renderCase(one);
    if (++count % CASES_AT_A_TIME !== 0) continue;
    yield text;
    text = '';
  }
  yield `${text}  </testsuite>\n`;
}

function totalsText({ tests, failures, errors, durationMs }: JunitTotals): string {
  return `tests="${tests}" failures="${failures}" errors="${errors}" skipped="0" time="${seconds(durationMs)}"`;
}
