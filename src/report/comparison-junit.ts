import type { ComparedConfiguration, ComparedTask, Comparison } from '../model/comparison.ts';
import { formatInstant, formatRate } from './format.ts';
import type { JunitCase } from './junit-case.ts';
import { JUNIT_END, type JunitSuite, junitStart, renderSuite, totalsOf } from './junit-writer.ts';
import { attributeText, bodyText, messageText } from './xml-text.ts';

/** When and where two runs were compared. */
export interface ComparedAt {
  /** ISO instant, UTC. */
  readonly at: string;
  readonly hostname: string;
}

/**
 * A JUnit document of a comparison: a suite for each configuration and arm, a case for each task. A task that was lost is a failure, one
 * without a verdict in either run an error; all else passed. Names are the same each night.
 */
export function comparisonJunit({ configurations, before, after }: Comparison, when: ComparedAt): string {
  const suites = configurations.flatMap((configuration) =>
    configuration.arms.map(({ condition }) => {
      const tasks = configuration.tasks.filter((task) => task.condition === condition);
      return suiteOf(configuration, tasks, { ...when, condition, runs: `${before} -> ${after}` });
    }),
  );
  const filled = suites.filter(({ cases }) => cases.length > 0);
  const totals = totalsOf(filled.flatMap(({ cases }) => cases));
  return [junitStart(totals), ...filled.flatMap((suite) => [...renderSuite(suite)]), JUNIT_END].join('');
}

function suiteOf(
  { after }: ComparedConfiguration,
  tasks: readonly ComparedTask[],
  of: ComparedAt & { readonly condition: string; readonly runs: string },
): JunitSuite & { readonly cases: readonly JunitCase[] } {
  const name = attributeText(`compare.${after.replaceAll('.', '_')}.${of.condition}`);
  const timestamp = formatInstant(of.at);
  const cases = tasks.map((task): JunitCase => {
    const said = bad(task, of.runs);
    return {
      classname: name,
      name: attributeText(task.task),
      durationMs: 0,
      timestamp,
      file: '.',
      properties: {},
      ...(said === undefined ? {} : { bad: said }),
      output: '',
    };
  });
  const hostname = attributeText(of.hostname);
  return { name, timestamp, hostname, properties: {}, totals: totalsOf(cases), cases };
}

function bad({ movement, before, after }: ComparedTask, runs: string): JunitCase['bad'] {
  const rates = `${formatRate(before.rate)} of ${before.scored} before, ${formatRate(after.rate)} of ${after.scored} after`;
  if (movement === 'lost') {
    const message = messageText(`every trial passed before and none does now: ${rates}`);
    return { kind: 'failure', type: 'compare.lost', message, body: bodyText(`${message}\n${runs}`, '') };
  }
  if (movement !== 'inconclusive') return undefined;
  const message = messageText(`without a verdict in one of the runs: ${rates}`);
  return { kind: 'error', type: 'compare.inconclusive', message, body: bodyText(`${message}\n${runs}`, '') };
}
