import type { RunEvent } from '../model/event.ts';
import { formatCount, formatDuration, formatInstant, formatMany } from './format.ts';
import { plainLine } from './plain-text.ts';
import type { Reporter, ReportOutput } from './reporter.ts';
import { advanced, NO_PROGRESS, type RunProgress, remainingMs } from './run-progress.ts';

/** A summary comes this often even when nothing changed, so that a run that hangs is seen to hang. */
const SUMMARY_EVERY_MS = 60_000;

/** A build that took no longer was most likely there already, and is not announced. */
const BUILD_SEEN_MS = 2_000;

/** The display for logs and pipes: a line per finished trial, each with its UTC time, and no control bytes. */
export function logLines({ stream, now }: ReportOutput): Reporter {
  let progress = NO_PROGRESS;
  let timer: ReturnType<typeof setInterval> | undefined;
  const builds = new Map<string, ReturnType<typeof setTimeout>>();
  const write = (at: string, text: string) => stream.write(`${formatInstant(at)} ${plainLine(text)}\n`);
  const summarize = () => write(new Date(now()).toISOString(), summaryLine(progress, now()));
  const stop = () => {
    clearInterval(timer);
    timer = undefined;
    for (const build of builds.values()) clearTimeout(build);
    builds.clear();
  };
  const announceLater = (what: string) => {
    const announce = () => write(new Date(now()).toISOString(), `build ${what}`);
    clearTimeout(builds.get(what));
    builds.set(what, setTimeout(announce, BUILD_SEEN_MS));
  };
  return {
    onEvent(event) {
      progress = advanced(progress, event);
      if (event.kind === 'run-started') timer ??= setInterval(summarize, SUMMARY_EVERY_MS);
      if (event.kind === 'build-started') announceLater(event.what);
      if (event.kind === 'build-ended') clearTimeout(builds.get(event.what));
      const text = eventLine(event, progress);
      if (text !== undefined) write(event.at, text);
      if (event.kind === 'run-ended') stop();
    },
    close: stop,
  };
}

/** What a line says of where the run stands. */
export function summaryLine(progress: RunProgress, nowMs: number): string {
  const { finished, toRun, passed, failed, unscored, running, building } = progress;
  const left = remainingMs(progress, nowMs);
  return [
    `${formatCount(finished)} of ${formatMany(toRun, 'trial')} done`,
    `passed ${formatCount(passed)}`,
    `failed ${formatCount(failed)}`,
    `unscored ${formatCount(unscored)}`,
    `running ${running.length}`,
    ...(building.length > 0 ? [`building ${building.length}`] : []),
    ...(left === undefined ? [] : [`about ${formatDuration(left)} left`]),
  ].join(', ');
}

function eventLine(event: RunEvent, progress: RunProgress): string | undefined {
  switch (event.kind) {
    case 'run-started':
      return `run ${event.run} ${event.resumed ? 'resumed' : 'started'}: ${workLeft(event)}`;
    case 'build-ended':
      return event.cached ? undefined : `built ${event.what} in ${formatDuration(event.durationMs)}`;
    case 'trial-ended':
      return trialLine(event, progress);
    case 'notice':
      return `notice: ${event.trial === undefined ? '' : `${event.trial}: `}${event.message}`;
    case 'run-ended':
      return `run ${event.run} ended: ${event.reason}${endNote(event.at, progress)}`;
    case 'build-started':
    case 'trial-started':
    case 'phase-started':
    case 'phase-ended':
      return undefined;
  }
}

function workLeft({ toRun, planned }: Extract<RunEvent, { kind: 'run-started' }>): string {
  if (toRun === 0) return 'nothing left to do';
  return `${formatCount(toRun)} of ${formatMany(planned, 'planned trial')} to run`;
}

function endNote(at: string, progress: RunProgress): string {
  return progress.toRun === 0 ? '' : `; ${summaryLine(progress, Date.parse(at))}`;
}

function trialLine(event: Extract<RunEvent, { kind: 'trial-ended' }>, progress: RunProgress): string {
  const { outcome, trial, attempt, durationMs, final } = event;
  const time = formatDuration(durationMs);
  const count = final ? `[${formatCount(progress.finished)}/${formatCount(progress.toRun)}] ` : '';
  if (outcome.kind === 'scored')
    return `${count}${outcome.verdict.passed ? 'passed' : 'failed'} ${trial} in ${time}`;
  const why = `${outcome.reason} in ${outcome.phase}: ${outcome.detail}`;
  return `${count}unscored ${trial} in ${time} (${why})${final ? '' : `; attempt ${attempt + 1} follows`}`;
}
