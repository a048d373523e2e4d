import { MultiBar, type SingleBar } from 'cli-progress';
import { formatCount, formatDuration } from './format.ts';
import { plainLine } from './plain-text.ts';
import type { Reporter, ReportOutput } from './reporter.ts';
import { advanced, NO_PROGRESS, type RunningTrial, type RunProgress, remainingMs } from './run-progress.ts';

/** Redraws a second, at most. */
const REDRAWS = 10;
/** Lines of running trials; with more at once, the last line says how many more. */
const MOST_RUNNING = 8;
const BAR_WIDTH = 24;

/**
 * The display for terminals: overall progress with the time left, builds, and each running trial with its phase and
 * elapsed time. Lines are made when they are drawn, so elapsed times move without events. `close` restores cursor and
 * line wrapping; after it nothing is drawn.
 */
export function progress(output: ReportOutput): Reporter {
  let state = NO_PROGRESS;
  let isClosed = false;
  const bars = multiBar(output, (line) => lineText(line, state, output.now()));
  const shown: SingleBar[] = [];
  return {
    onEvent(event) {
      if (isClosed) return;
      state = advanced(state, event);
      if (event.kind === 'notice') bars.log(`${plainLine(event.message)}\n`);
      while (shown.length < lineCount(state)) shown.push(bars.create(1, 0, { line: shown.length }));
    },
    close() {
      isClosed = true;
      bars.stop();
    },
  };
}

/** Lines are never taken away: removing a bar redraws at once, and thousands of trials would do so. */
function lineCount({ running }: RunProgress): number {
  return 2 + Math.min(running.length, MOST_RUNNING + 1);
}

/** Text of one line of the display: overall, builds, then running trials. Empty lines wait for the next trial. */
export function lineText(line: number, state: RunProgress, nowMs: number): string {
  if (line === 0) return overallLine(state, nowMs);
  if (line === 1) return state.building.length > 0 ? `building ${plainLine(state.building.join(', '))}` : '';
  const position = line - 2;
  if (position < MOST_RUNNING) return trialLine(state.running[position], nowMs);
  const more = state.running.length - MOST_RUNNING;
  return more > 0 ? `  ... and ${formatCount(more)} more` : '';
}

function overallLine(state: RunProgress, nowMs: number): string {
  const { finished, toRun, passed, failed, unscored, running } = state;
  const filled = toRun === 0 ? 0 : Math.round((BAR_WIDTH * finished) / toRun);
  const bar = `${'#'.repeat(filled)}${'-'.repeat(BAR_WIDTH - filled)}`;
  const left = remainingMs(state, nowMs);
  const eta = left === undefined ? '' : ` | ETA ${formatDuration(left)}`;
  const counts = `passed ${formatCount(passed)}, failed ${formatCount(failed)}, unscored ${formatCount(unscored)}`;
  return `[${bar}] ${formatCount(finished)}/${formatCount(toRun)}${eta} | ${counts} | running ${running.length}`;
}

function trialLine(trial: RunningTrial | undefined, nowMs: number): string {
  if (trial === undefined) return '';
  const again = trial.attempt > 1 ? `, attempt ${trial.attempt}` : '';
  const elapsed = formatDuration(Math.max(0, nowMs - trial.startedAtMs));
  return `  ${trial.phase.padEnd(8)} ${elapsed.padStart(8)}  ${plainLine(trial.trial)}${again}`;
}

function multiBar(output: ReportOutput, text: (line: number) => string): MultiBar {
  const terminal = {
    write: (chunk: string) => output.stream.write(chunk),
    isTTY: output.isTty,
    get columns() {
      return output.columns;
    },
  };
  return new MultiBar({
    // The library asks a stream for no more than these three.
    stream: terminal as unknown as NodeJS.WritableStream,
    fps: REDRAWS,
    hideCursor: true,
    linewrap: false,
    gracefulExit: false,
    format: (_options, _params, payload: { line: number }) => cut(text(payload.line), output.columns),
  });
}

/** One line never wraps: a wrapped one would break the redraw. */
function cut(line: string, columns: number): string {
  return line.length <= columns ? line : `${line.slice(0, Math.max(0, columns - 3))}...`;
}
