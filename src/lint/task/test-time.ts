import { type PythonCall, type PythonSource, pythonCalls, pythonSources, warnAt } from './python-calls.ts';
import type { PythonLine } from './python-tokens.ts';
import type { Remark, TaskRule } from './task-rule.ts';

/** What day or hour it is. */
const CALENDAR =
  /^(?:(?:datetime\.)?(?:datetime|date)\.(?:now|today|utcnow)|pandas\.Timestamp\.(?:now|today|utcnow)|pandas\.to_datetime\.now|arrow\.(?:now|utcnow)|pendulum\.(?:now|today))$/;
/** The same, where no time is handed in. */
const CALENDAR_WITHOUT_TIME = /^time\.(?:localtime|gmtime|ctime|asctime)$/;
/** Seconds since whenever. */
const STOPWATCH =
  /^(?:time\.(?:time|monotonic|perf_counter|process_time)(?:_ns)?|timeit\.(?:timeit|repeat|default_timer))$/;

const TODAY = {
  why: 'asks what time it is: the same workspace may get another verdict later',
  repair: 'compare with a date that is written down',
};
const DURATION = {
  why: 'measures how long something takes: a slower or a busy machine may get another verdict',
  repair: 'count steps or calls instead, or compare two measurements of one run with room to spare',
};

/** What passes today fails next year; what passes here fails on a slower machine. */
export const testDependsOnTime: TaskRule = {
  name: 'test-depends-on-time',
  check: ({ tests }) =>
    pythonSources(tests).flatMap((source): Remark[] => {
      const calls = pythonCalls(source);
      const calendar = calls.find(asksForToday);
      if (calendar !== undefined)
        return [warnAt(source, calendar.line, { what: `${calendar.written}()`, ...TODAY })];
      const clocks = calls.filter(({ name }) => STOPWATCH.test(name));
      const asserted = clocks.find(({ tokens }) => tokens[0]?.text === 'assert');
      if (asserted !== undefined)
        return [warnAt(source, asserted.line, { what: `${asserted.written}()`, ...TODAY })];
      const measured = measuredLine(source, clocks);
      return measured === undefined
        ? []
        : [{ ...warnAt(source, measured, { what: 'the test', ...DURATION }), severity: 'note' }];
    }),
};

function asksForToday(call: PythonCall): boolean {
  const { name, tokens, at } = call;
  const given = tokens[at + 1]?.text;
  if (CALENDAR.test(name)) return true;
  if (name === 'numpy.datetime64') return given === 'now' || given === 'today';
  // `strftime(format)` is of now, `strftime(format, time)` is not.
  if (name === 'time.strftime') return !argumentsOf(call).includes(',');
  return CALENDAR_WITHOUT_TIME.test(name) && given === ')';
}

function argumentsOf({ tokens, at }: PythonCall): string[] {
  const rest = tokens.slice(at + 1);
  const end = rest.findIndex(({ kind, text }) => kind === 'operator' && text === ')');
  return rest.slice(0, end < 0 ? rest.length : end).map(({ text }) => text);
}

/** Where a difference of two clock times is kept or returned; waits that end some time are none, nor is what is only printed. */
function measuredLine({ lines }: PythonSource, clocks: readonly PythonCall[]): number | undefined {
  const times = new Set(clocks.flatMap(({ tokens }) => (tokens[1]?.text === '=' ? [tokens[0]?.text] : [])));
  const isTime = ({ tokens }: PythonLine, at: number) =>
    times.has(tokens[at]?.text) || clocks.some((call) => call.tokens === tokens && call.at < at);
  return lines.find((line) => {
    const { tokens } = line;
    const isKept = tokens[0]?.text === 'return' || tokens[1]?.text === '=' || tokens[0]?.text === 'assert';
    return isKept && tokens.some(({ text }, at) => text === '-' && at > 0 && isTime(line, at + 1));
  })?.line;
}
