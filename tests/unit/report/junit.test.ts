import { spawnSync } from 'node:child_process';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { describe, expect, it } from 'vitest';
import { xml2js as xmlJs } from 'xml-js';
import { measure } from '../../../src/measure/measure.ts';
import type { RunRecord } from '../../../src/model/run-record.ts';
import { renderJunit } from '../../../src/report/junit.ts';
import type { ReportOptions } from '../../../src/report/report-options.ts';
import { goldenRun, HOSTILE } from '../../support/golden-run.ts';
import { modelUse } from '../../support/model-use.ts';
import { reportTexts } from '../../support/report-text.ts';
import { children, parseStrictly, type XmlElement } from '../../support/strict-xml.ts';
import { runOf, type SyntheticPlan, unscored, verdict } from '../../support/synthetic-run.ts';

const OPTIONS: ReportOptions = { runPath: 'runs/synthetic-1' };

function junit(run: RunRecord, options: Partial<ReportOptions> = {}): Promise<Map<string, string>> {
  return reportTexts(renderJunit(run, measure(run), { ...OPTIONS, ...options }));
}

async function cases(xml: string | undefined): Promise<XmlElement[]> {
  const root = await parseStrictly(xml ?? '');
  return children(root, 'testsuite').flatMap((suite) => children(suite, 'testcase'));
}

async function onlyCase(plan: Partial<SyntheticPlan>, result: ReturnType<Parameters<typeof runOf>[1]>) {
  const run = runOf({ tasks: ['A'], conditions: ['no-skills'], ...plan }, () => result);
  const texts = await junit(run);
  const found = await cases(texts.get('junit/trials/literal.no-skills.xml'));
  expect(found).toHaveLength(1);
  return found[0]!;
}

describe('junit files', () => {
  it('are one for gates, one per configuration and condition, and one with all', async () => {
    expect([...(await junit(goldenRun())).keys()]).toEqual([
      'junit/gates.xml',
      'junit/trials/harness@model-4.5.no-skills.xml',
      'junit/trials/harness@model-4.5.with-skills.xml',
      'junit/trials/literal.no-skills.xml',
      'junit/trials/literal.with-skills.xml',
      'junit.xml',
    ]);
  });

  it('are read by a strict parser, and their totals equal their children', async () => {
    for (const [, xml] of await junit(goldenRun())) {
      const root = await parseStrictly(xml);
      const suites = children(root, 'testsuite');
      for (const element of [root, ...suites]) {
        const within =
          element === root
            ? suites.flatMap((suite) => children(suite, 'testcase'))
            : children(element, 'testcase');
        const count = (name: string) => String(within.filter((one) => children(one, name).length > 0).length);
        const time = within.reduce((sum, one) => sum + Number(one.$.time), 0);
        expect(element.$).toMatchObject({
          tests: String(within.length),
          failures: count('failure'),
          errors: count('error'),
          skipped: '0',
          time: time.toFixed(3),
        });
      }
      for (const suite of suites)
        expect(suite.$).toMatchObject({
          name: expect.any(String),
          timestamp: expect.stringMatching(/Z$/),
          hostname: 'w1',
        });
    }
  });

  it('are read alike by xml2js, xml-js and fast-xml-parser', async () => {
    for (const [, xml] of await junit(goldenRun())) {
      const expected = (await cases(xml)).map((one) => one.$.name!);
      type Compact = { testsuites: { testsuite: { testcase: { _attributes: { name: string } }[] }[] } };
      const compact = xmlJs(xml, { compact: true, alwaysArray: true }) as unknown as {
        testsuites: Compact['testsuites'][];
      };
      expect(
        compact.testsuites[0]!.testsuite.flatMap((suite) =>
          suite.testcase.map((one) => one._attributes.name),
        ),
      ).toEqual(expected);
      expect(XMLValidator.validate(xml)).toBe(true);
      const fast = new XMLParser({
        ignoreAttributes: false,
        isArray: (name) => name === 'testcase' || name === 'testsuite',
      }).parse(xml);
      const suites = fast.testsuites.testsuite as { testcase: { '@_name': string }[] }[];
      expect(suites.flatMap((suite) => suite.testcase.map((one) => one['@_name']))).toEqual(expected);
    }
  });

  it('are read by expat, where python3 is at hand', async (context) => {
    const python = spawnSync('python3', ['-c', 'import xml.parsers.expat']);
    if (python.status !== 0) context.skip('python3 with expat is not installed');
    const script =
      'import sys,xml.parsers.expat as e; e.ParserCreate("UTF-8").Parse(sys.stdin.buffer.read(), True)';
    for (const [path, xml] of await junit(goldenRun())) {
      const { status, stderr } = spawnSync('python3', ['-c', script], { input: xml });
      expect({ path, status, stderr: String(stderr) }).toEqual({ path, status: 0, stderr: '' });
    }
  });

  it('hold every planned trial once, under a unique pair of classname and name that stays from run to run', async () => {
    const keys = async (run: RunRecord) => {
      const texts = [...(await junit(run))].filter(([path]) => path.startsWith('junit/trials/'));
      const all = await Promise.all(texts.map(([, xml]) => cases(xml)));
      return all.flat().map((one) => `${one.$.classname} :: ${one.$.name}`);
    };
    const run = goldenRun();
    const names = await keys(run);
    expect(names).toHaveLength(60);
    expect(new Set(names).size).toBe(60);
    expect(names).toContain('literal.with-skills.t4 :: t4 / with-skills / trial 3 / literal');
    const passing = runOf(
      { tasks: ['T1', 'T2', 'T3', 'T4', 't4'], configurations: ['literal', 'harness@model-4.5'], trials: 3 },
      () => ({ outcome: verdict(true) }),
    );
    expect((await keys(passing)).sort()).toEqual(names.sort());
  });

  it('split a suite at 5,000 cases under the same name', async () => {
    const tasks = Array.from({ length: 5001 }, (_, index) => `t${index}`);
    const texts = await junit(
      runOf({ tasks, conditions: ['no-skills'] }, () => ({ outcome: verdict(true) })),
    );
    const first = await parseStrictly(texts.get('junit/trials/literal.no-skills.xml')!);
    const second = await parseStrictly(texts.get('junit/trials/literal.no-skills.part2.xml')!);
    expect([first, second].map((root) => root.$.tests)).toEqual(['5000', '1']);
    expect([first, second].map((root) => children(root, 'testsuite')[0]!.$.name)).toEqual(
      Array(2).fill('literal.no-skills'),
    );
  });

  it('split a suite before 20 MB of bodies', async () => {
    const tasks = Array.from({ length: 700 }, (_, index) => `t${index}`);
    const failing = [{ name: 'test_big', message: 'x'.repeat(40_000) }];
    const texts = await junit(
      runOf({ tasks, conditions: ['no-skills'] }, () => ({ outcome: verdict(false, failing) })),
    );
    expect(texts.has('junit/trials/literal.no-skills.part2.xml')).toBe(true);
    expect(Buffer.byteLength(texts.get('junit/trials/literal.no-skills.xml')!)).toBeLessThan(20_000_000);
  });
});

describe('a trial as a case', () => {
  it("keeps a dot in a task's id out of the class name alone", async () => {
    const one = await onlyCase({ tasks: ['windows-3.11'] }, { outcome: verdict(true) });
    expect(one.$).toMatchObject({
      classname: 'literal.no-skills.windows-3_11',
      name: 'windows-3.11 / no-skills / trial 1 / literal',
      file: 'tasks/windows-3.11/task.yaml',
    });
  });

  it('has no child when it passed, and says where its evidence is', async () => {
    const one = await onlyCase({}, { outcome: verdict(true) });
    expect(children(one, 'failure')).toEqual([]);
    expect(children(one, 'error')).toEqual([]);
    expect(one.$).toEqual({
      classname: 'literal.no-skills.A',
      name: 'A / no-skills / trial 1 / literal',
      file: 'tasks/A/task.yaml',
      line: '1',
      timestamp: '2026-11-29T21:00:00Z',
      time: '61.200',
    });
    expect(children(one, 'system-out')[0]!._).toBe(
      '[[ATTACHMENT|runs/synthetic-1/trials/A/no-skills/1/literal/1/verifier/report.json]]',
    );
  });

  it('is a failure when the verdict failed: our words as message, the same as first line of the body', async () => {
    const failing = [
      { name: 'test_outputs.py::test_a', message: 'AssertionError: 3 != 4' },
      { name: 'test_b' },
    ];
    const one = await onlyCase({}, { outcome: verdict(false, failing) });
    const [failure] = children(one, 'failure');
    expect(failure!.$).toEqual({ type: 'verdict.failed', message: '2 of 3 checks failed: test_a, test_b' });
    expect(failure!._).toBe(
      '2 of 3 checks failed: test_a, test_b\nFAILED test_outputs.py::test_a - AssertionError: 3 != 4\nFAILED test_b',
    );
  });

  it('is a failure of its own type when the agent ran out of time', async () => {
    const one = await onlyCase({}, { outcome: verdict(false, [{ name: 'test_a' }]), ending: 'timed-out' });
    expect(children(one, 'failure')[0]!.$).toEqual({
      type: 'verdict.timed-out',
      message: 'agent timed-out; 1 of 2 checks failed: test_a',
    });
  });

  it('is an error and never skipped when it has no verdict, also when it never ran', async () => {
    const lost = await onlyCase({}, { outcome: unscored('runtime-lost', 'socket hang up') });
    expect(children(lost, 'error')[0]!.$.type).toBe('fault.runtime-lost');
    expect(children(lost, 'error')[0]!._).toMatch(/^runtime-lost in phase start: .*\nsocket hang up$/);
    const notRun = await onlyCase({ endedBy: 'interrupted' }, { outcome: unscored('not-run') });
    expect(children(notRun, 'error')[0]!.$.type).toBe('fault.not-run');
    expect(notRun.$).toMatchObject({ time: '0.000', timestamp: '2026-11-29T20:59:00Z' });
    for (const one of [lost, notRun]) expect(children(one, 'skipped')).toEqual([]);
  });

  it('tells what it asked of models in properties, without counts that nobody gave', async () => {
    const one = await onlyCase(
      {},
      { outcome: verdict(true), modelUse: modelUse({ mode: 'replay', requests: 3, usage: { input: 1200 } }) },
    );
    const properties = children(children(one, 'properties')[0], 'property').map(({ $ }) => [$.name, $.value]);
    expect(properties.slice(2)).toEqual([
      ['model-mode', 'replay'],
      ['served-model', 'claude-sonnet-4-20250514'],
      ['model-requests', '3'],
      ['input-tokens', '1200'],
    ]);
  });

  it('tells its attempts in properties and output, as one case', async () => {
    const one = await onlyCase({}, { outcome: verdict(true), attempts: ['start-failed', 'runtime-lost'] });
    const properties = children(children(one, 'properties')[0], 'property').map(({ $ }) => [$.name, $.value]);
    expect(properties).toEqual([
      ['attempts', '3'],
      ['attempt-outcomes', 'start-failed, runtime-lost, scored'],
      ['ending', 'completed'],
    ]);
    expect(children(one, 'system-out')[0]!._).toContain('attempts: start-failed, runtime-lost, scored');
  });

  it('writes durations of 0, 0.0004 and 100,000 s with three decimals and a point', async () => {
    const time = async (durationMs: number) =>
      (await onlyCase({}, { outcome: verdict(true), durationMs })).$.time;
    expect([await time(0), await time(0.4), await time(100_000_000)]).toEqual([
      '0.000',
      '0.000',
      '100000.000',
    ]);
  });

  it('keeps hostile text harmless: sequences gone, other illegal characters visible, the rest as it was', async () => {
    const one = await onlyCase({}, { outcome: verdict(false, [{ name: 'test_a', message: HOSTILE }]) });
    expect(children(one, 'failure')[0]!._).toBe(
      '1 of 2 checks failed: test_a\nFAILED test_a - a red b\ufffd c\ufffd d\ufffd e ]] > <b a="1">&amp;\'x\'</b>\nsecond line \u{1f600} \ufffd',
    );
  });

  it('keeps the message attribute to one line of 200 characters without markup', async () => {
    const failing = Array.from({ length: 50 }, (_, index) => ({ name: `test_<${index}>&"\n'` }));
    const one = await onlyCase({}, { outcome: verdict(false, failing) });
    const message = children(one, 'failure')[0]!.$.message!;
    expect(message.length).toBeLessThanOrEqual(200);
    expect(message).not.toMatch(/[&<>"'\n]/);
    expect(message).toMatch(/^50 of 51 checks failed: test_0, test_1, /);
  });

  it('caps 2 MiB of detail to 32 KiB, head and tail, and says how much is left out and where it is', async () => {
    const detail = `HEAD ${'\u00e9'.repeat(1024 * 1024)} TAIL`;
    const one = await onlyCase({}, { outcome: unscored('verifier-error', detail) });
    const body = children(one, 'error')[0]!._!;
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(32 * 1024);
    expect(body).toContain('HEAD ');
    expect(body.endsWith(' TAIL')).toBe(true);
    expect(body).toMatch(
      /\.\.\. \d+ bytes left out, see runs\/synthetic-1\/trials\/A\/no-skills\/1\/literal\/1 \.\.\./,
    );
    expect(body).not.toContain('\ufffd');
  });

  it('links what the agent printed too when it failed', async () => {
    const one = await onlyCase({}, { outcome: verdict(false, [{ name: 'test_a' }]) });
    const folder = 'runs/synthetic-1/trials/A/no-skills/1/literal/1';
    expect(children(one, 'system-out')[0]!._).toBe(
      `[[ATTACHMENT|${folder}/verifier/report.json]]\n[[ATTACHMENT|${folder}/agent/stdout.log]]`,
    );
  });

  it('links nothing outside the folder that readers look in', async () => {
    const run = runOf({ tasks: ['A'] }, () => ({ outcome: verdict(false, [{ name: 'test_a' }]) }));
    for (const runPath of ['../elsewhere/runs/one', '/srv/runs/one', 'a/../../one'])
      expect((await junit(run, { runPath })).get('junit.xml')).not.toContain('ATTACHMENT');
  });

  it('survives ids that no loader would let through', async () => {
    const one = await (async () => {
      const run = runOf({ tasks: ['a/b c \u{1f600} "x" <y>'], conditions: ['no-skills'] }, () => ({
        outcome: verdict(true),
      }));
      return (await cases((await junit(run)).get('junit.xml'))).find((found) =>
        found.$.classname?.includes('no-skills'),
      );
    })();
    expect(one!.$.name).toBe('a/b c \u{1f600} "x" <y> / no-skills / trial 1 / literal');
  });
});

describe('a failed no-skills trial', () => {
  const run = runOf({ tasks: ['A'] }, () => ({ outcome: verdict(false, [{ name: 'test_a' }]) }));

  it('is a failure by default, in both arms alike', async () => {
    const root = await parseStrictly((await junit(run)).get('junit.xml')!);
    expect(root.$.failures).toBe('2');
  });

  it('passes with a note where that is asked for, and only in the no-skills arm', async () => {
    const texts = await junit(run, { junitBaseline: 'pass-with-note' });
    const root = await parseStrictly(texts.get('junit.xml')!);
    expect(root.$.failures).toBe('1');
    const [baseline] = await cases(texts.get('junit/trials/literal.no-skills.xml'));
    expect(children(baseline, 'system-out')[0]!._).toContain(
      'failed, as a no-skills trial may: 1 of 2 checks failed: test_a',
    );
  });
});

describe('gates.xml', () => {
  const gateCases = async (run: RunRecord, options: Partial<ReportOptions> = {}) =>
    cases((await junit(run, options)).get('junit/gates.xml'));

  it('has a case per gate and configuration, with the threshold in the message and never in the name', async () => {
    const run = runOf(
      { tasks: ['A', 'B'], gates: { minGain: 0.75, minPassRate: 0.5 } },
      ({ condition, task }) => ({
        outcome: verdict(condition === 'with-skills' && task === 'A'),
      }),
    );
    const found = await gateCases(run);
    expect(found.map((one) => [one.$.classname, one.$.name])).toEqual([
      ['literal.gates', 'complete / literal'],
      ['literal.gates', 'gain / literal'],
      ['literal.gates', 'pass-rate / literal'],
    ]);
    expect(children(found[1], 'failure')[0]!.$).toEqual({
      type: 'gate.gain',
      message: 'gain +50.0 pp is below +75.0 pp',
    });
    expect(children(found[2], 'system-out')[0]!._).toBe('pass-rate 50.0 % reaches 50.0 %');
  });

  it('makes an error of a gate that cannot be evaluated', async () => {
    const found = await gateCases(
      runOf({ tasks: ['A'], gates: { minGain: 0.1 } }, () => ({ outcome: unscored('start-failed') })),
    );
    expect(children(found[1], 'error')[0]!.$).toEqual({
      type: 'gate.unevaluable',
      message: 'gain is undefined; the threshold is +10.0 pp',
    });
  });

  it('makes an error of trials without a verdict, unless they were allowed', async () => {
    const run = goldenRun();
    const [complete] = await gateCases(run);
    expect(children(complete, 'error')[0]!.$).toEqual({
      type: 'gate.incomplete',
      message:
        'no-skills: 1 of 15 trials without a verdict (runtime-lost 1); with-skills: 1 of 15 trials without a verdict (not-run 1)',
    });
    const [allowed] = await gateCases(run, { allowUnscored: true });
    expect(children(allowed, 'error')).toEqual([]);
  });

  it('says that nothing was selected in a case of its own, so that no file is ever empty', async () => {
    const texts = await junit(runOf({ tasks: [] }, () => ({ outcome: verdict(true) })));
    expect([...texts.keys()]).toEqual(['junit/gates.xml', 'junit.xml']);
    for (const xml of texts.values()) {
      const found = await cases(xml);
      expect(found).toHaveLength(1);
      expect(children(found[0], 'error')[0]!.$).toEqual({
        type: 'gate.nothing-selected',
        message: 'no trial was selected',
      });
    }
  });

  it('makes errors of all trials when all are unscored', async () => {
    const root = await parseStrictly(
      (await junit(runOf({ tasks: ['A'] }, () => ({ outcome: unscored('build-failed') })))).get('junit.xml')!,
    );
    expect(root.$).toMatchObject({ tests: '3', failures: '0', errors: '3' });
  });
});
