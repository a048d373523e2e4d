import junitReportBuilder, { type Builder } from 'junit-report-builder';
import { describe, expect, it } from 'vitest';
import type { JunitCase } from '../../../src/report/junit-case.ts';
import { renderCase } from '../../../src/report/junit-template.ts';

const builder = junitReportBuilder as unknown as Builder;

const HOSTILE =
  'a & b < c > d "quoted" \'single\' \t tab \n line $& $1 ]] > \ue000name\ue000 file="x" &amp; \u00e9 \u{1f600}';

/** The case as the builder alone writes it, with plain seconds and without the two attributes it has no call for. */
function builtAlone(one: JunitCase): string {
  const document = builder.newBuilder();
  const element = document.testSuite().testCase().className(one.classname).name(one.name).file(one.file);
  element.time(one.durationMs / 1000);
  for (const [name, value] of Object.entries(one.properties)) element.property(name, value);
  if (one.bad?.kind === 'failure') element.failure(one.bad.message, one.bad.type).stacktrace(one.bad.body);
  if (one.bad?.kind === 'error') element.error(one.bad.message, one.bad.type, one.bad.body);
  if (one.output !== '') element.standardOutput(one.output);
  const xml = document.build();
  return xml.slice(xml.indexOf('    <testcase '), xml.indexOf('  </testsuite>'));
}

const BLANK: JunitCase = {
  classname: 'a.b',
  name: 'a case',
  durationMs: 1125,
  timestamp: '2026-11-29T21:00:00Z',
  file: 'tasks/a/task.yaml',
  properties: {},
  output: '',
};

const TEXTS = ['', 'plain', HOSTILE];
const BADS = (['failure', 'error'] as const).flatMap((kind) =>
  TEXTS.flatMap((message) => TEXTS.map((body) => ({ kind, type: 'verdict.failed', message, body }))),
);
const CASES = [undefined, ...BADS].flatMap((bad) =>
  TEXTS.flatMap((text) =>
    [{}, { attempts: text }, { attempts: '2', ending: text }].map((properties): JunitCase => {
      const texts = { classname: `c${text}`, name: `n${text}`, file: `f${text}` };
      return { ...BLANK, ...texts, properties, output: text, ...(bad === undefined ? {} : { bad }) };
    }),
  ),
);

describe('renderCase', () => {
  it('writes what the builder writes of the same case, for cases of every shape and any legal text', () => {
    expect(CASES).toHaveLength(171);
    for (const one of CASES) {
      const added = ' line="1" timestamp="2026-11-29T21:00:00Z"';
      expect(renderCase(one).replace(added, '')).toBe(builtAlone(one));
    }
  });

  it('puts line and time behind the file, and writes seconds with three decimals', () => {
    expect(renderCase({ ...BLANK, durationMs: 60_000 })).toBe(
      '    <testcase classname="a.b" name="a case" file="tasks/a/task.yaml" line="1" timestamp="2026-11-29T21:00:00Z" time="60.000"/>\n',
    );
  });
});
