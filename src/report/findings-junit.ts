import type { Finding } from '../model/finding.ts';
import type { Problem } from '../model/problem.ts';
import { findingLine, pathFrom } from './findings-text.ts';
import { formatInstant } from './format.ts';
import type { JunitCase } from './junit-case.ts';
import { JUNIT_END, type JunitSuite, junitStart, renderSuite, totalsOf } from './junit-writer.ts';
import { cutLine } from './plain-text.ts';
import { attributeText, bodyText, cdataText, messageText } from './xml-text.ts';

/** What was checked, and how a reader of JUnit is to see it. */
export interface CheckedSubjects {
  /** First word of every suite's name, such as `skill-check`; the same each night. */
  readonly check: string;
  /** Each with a file that is there, which readers link to. */
  readonly subjects: readonly { readonly subject: string; readonly file: string }[];
  /** Every rule that was tried, in order: a rule without a finding is a case that passed. */
  readonly rules: readonly string[];
  /** Of these subjects; a rule that stands in no list gets its case where it was raised. */
  readonly findings: readonly Finding[];
  /** Warnings are failures too. */
  readonly strict: boolean;
  /** Files are named relative to it. */
  readonly root: string;
  /** ISO instant, UTC. */
  readonly at: string;
  readonly hostname: string;
}

/** Most characters of system-out: one reader trims passing cases at 1,000. */
const LONGEST_OUTPUT = 500;

/**
 * A JUnit document: a suite for each subject, a case for each rule. A rule with an error (or, where strict, a warning) is a
 * `failure`; what is only worth knowing stands in the output of a case that passed. Without subjects there is one case that says so.
 */
export function findingsJunit(checked: CheckedSubjects): string {
  const ofSubject = Map.groupBy(checked.findings, ({ subject }) => subject);
  const suites = checked.subjects.map((one) => subjectSuite(one, ofSubject.get(one.subject) ?? [], checked));
  const all = suites.length > 0 ? suites : [emptySuite(checked)];
  const totals = totalsOf(all.flatMap(({ cases }) => cases));
  return [junitStart(totals), ...all.flatMap((suite) => [...renderSuite(suite)]), JUNIT_END].join('');
}

type WholeSuite = JunitSuite & { readonly cases: readonly JunitCase[] };

function subjectSuite(
  { subject, file }: CheckedSubjects['subjects'][number],
  findings: readonly Finding[],
  checked: CheckedSubjects,
): WholeSuite {
  const ofRule = Map.groupBy(findings, ({ rule }) => rule);
  const rules = new Set([...checked.rules, ...ofRule.keys()]);
  const suite = suiteName(checked.check, subject);
  const at = formatInstant(checked.at);
  const cases = [...rules].map((rule): JunitCase => {
    const said = ofRule.get(rule) ?? [];
    const lines = said.map((finding) => findingLine(finding, checked.root));
    const worst = said.find(({ severity }) => severity === 'error') ?? said.find(isFailing(checked.strict));
    const blank = { classname: suite, name: attributeText(`${rule} / ${subject}`), durationMs: 0 };
    const one = {
      ...blank,
      timestamp: at,
      file: attributeText(pathFrom(checked.root, file)),
      properties: {},
    };
    if (worst === undefined) return { ...one, output: cutLine(cdataText(lines.join('\n')), LONGEST_OUTPUT) };
    const message = messageText(worst.message);
    const body = bodyText([message, ...lines].join('\n'), file);
    return { ...one, bad: { kind: 'failure', type: `rule.${rule}`, message, body }, output: '' };
  });
  return wholeSuite(suite, cases, checked);
}

function isFailing(strict: boolean): (problem: Problem) => boolean {
  return ({ severity }) => severity === 'error' || (strict && severity === 'warning');
}

function emptySuite(checked: CheckedSubjects): WholeSuite {
  const message = 'nothing was selected';
  const one: JunitCase = {
    classname: suiteName(checked.check, 'nothing'),
    name: attributeText(`${checked.check} / nothing selected`),
    durationMs: 0,
    timestamp: formatInstant(checked.at),
    file: '.',
    properties: {},
    bad: { kind: 'error', type: 'check.nothing-selected', message, body: message },
    output: '',
  };
  return wholeSuite(one.classname, [one], checked);
}

function wholeSuite(name: string, cases: readonly JunitCase[], checked: CheckedSubjects): WholeSuite {
  const { at, hostname } = checked;
  const common = { timestamp: formatInstant(at), hostname: attributeText(hostname), properties: {} };
  return { name, ...common, totals: totalsOf(cases), cases };
}

/** Readers split names at dots, so a folder's name keeps none: it stands whole in the names of the cases. */
function suiteName(check: string, subject: string): string {
  return attributeText(`${check}.${subject.replaceAll('.', '_')}`);
}
