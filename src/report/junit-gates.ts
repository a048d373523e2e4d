import type { ConfigurationFigures, GateResult, Measurement } from '../model/measurement.ts';
import type { RunLock } from '../model/run-lock.ts';
import { formatCount, formatInstant, formatMany, formatReasons } from './format.ts';
import { gateMessage } from './gate-message.ts';
import type { JunitCase } from './junit-case.ts';
import { type JunitSuite, totalsOf } from './junit-writer.ts';
import { experimentFile } from './project-file.ts';
import type { ReportOptions } from './report-options.ts';
import { attributeText, bodyText, messageText } from './xml-text.ts';

/**
 * The suite a required check reads: one case per gate and configuration, and `complete`, which fails where trials have
 * no verdict. It is made of the same values as the exit code, so that the two agree.
 */
export function gatesSuite(lock: RunLock, measurement: Measurement, options: ReportOptions): JunitSuite {
  const blank = {
    durationMs: 0,
    timestamp: formatInstant(lock.createdAt),
    file: attributeText(experimentFile(lock)),
  };
  const found = [
    ...measurement.configurations.map((figures) => completeCase(figures, options)),
    ...measurement.gates.map(gateCase),
  ];
  const cases = (found.length === 0 ? [nothingSelected()] : found).map((one) => ({ ...blank, ...one }));
  return {
    name: 'gates',
    timestamp: formatInstant(lock.createdAt),
    hostname: attributeText(lock.host.name),
    properties: { run: attributeText(lock.run), skillpair: attributeText(lock.skillpair) },
    totals: totalsOf(cases),
    cases,
  };
}

type GateCase = Omit<JunitCase, 'durationMs' | 'timestamp' | 'file'>;

function gateCase(result: GateResult): GateCase {
  const one = emptyCase(result.gate, result.configuration);
  switch (result.state) {
    case 'held':
      return { ...one, output: gateMessage(result) };
    case 'failed':
      return { ...one, bad: bad('failure', `gate.${result.gate}`, gateMessage(result)) };
    case 'unevaluable':
      return { ...one, bad: bad('error', 'gate.unevaluable', gateMessage(result)) };
  }
}

function completeCase({ configuration, arms }: ConfigurationFigures, options: ReportOptions): GateCase {
  const one = emptyCase('complete', configuration);
  const lacking = arms.filter((arm) => arm.counts.unscored > 0);
  if (lacking.length === 0) return one;
  const message = lacking
    .map(({ condition, counts }) => {
      const share = `${formatCount(counts.unscored)} of ${formatMany(counts.planned, 'trial')}`;
      return `${condition}: ${share} without a verdict (${formatReasons(counts)})`;
    })
    .join('; ');
  if (options.allowUnscored === true) return { ...one, output: `allowed: ${message}` };
  return { ...one, bad: bad('error', 'gate.incomplete', message) };
}

function nothingSelected(): GateCase {
  return {
    ...emptyCase('complete', 'run'),
    bad: bad('error', 'gate.nothing-selected', 'no trial was selected'),
  };
}

function emptyCase(gate: string, configuration: string): GateCase {
  return {
    classname: attributeText(`${configuration}.gates`),
    name: attributeText(`${gate} / ${configuration}`),
    properties: {},
    output: '',
  };
}

function bad(kind: 'failure' | 'error', type: string, text: string): NonNullable<JunitCase['bad']> {
  const message = messageText(text);
  return { kind, type, message, body: bodyText(message, 'report.md') };
}
