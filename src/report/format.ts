import type { Counts } from '../model/measurement.ts';

/** Undefined figures are said, not hidden: they are never printed as 0. */
const UNDEFINED = 'n/a';

/** A rate in [0, 1] as a percentage with one decimal: `45.8 %`. */
export function formatRate(rate: number | null): string {
  return rate === null ? UNDEFINED : `${fixed(rate * 100)} %`;
}

/** A difference of rates in percentage points with its sign: `+20.8 pp`. */
export function formatPoints(difference: number | null): string {
  return difference === null ? UNDEFINED : `${signed(difference * 100)} pp`;
}

/** A size in percentage points, which has no sign: `12.4 pp`. */
export function formatPlainPoints(size: number | null): string {
  return size === null ? UNDEFINED : `${fixed(size * 100)} pp`;
}

/** A probability with three decimals; `< 0.001` below them. */
export function formatProbability(probability: number): string {
  return probability < 0.001 ? '< 0.001' : probability.toFixed(3);
}

/** An interval of differences in percentage points: `[-1.9, +6.0]`. */
export function formatInterval(interval: { readonly low: number; readonly high: number } | null): string {
  return interval === null ? UNDEFINED : `[${signed(interval.low * 100)}, ${signed(interval.high * 100)}]`;
}

/** A rate's two bounds as percentages without their sign: `41.7..50.0`. */
export function formatBounds(low: number | null, high: number | null): string {
  if (low === null || high === null) return UNDEFINED;
  return `${fixed(low * 100)}..${fixed(high * 100)}`;
}

/** A duration as people say it: `950 ms`, `61.2 s`, `12m 05s`, `3h 07m`. */
export function formatDuration(durationMs: number): string {
  if (durationMs < 1000) return `${Math.round(durationMs)} ms`;
  if (durationMs < 99_950) return `${fixed(durationMs / 1000)} s`;
  const seconds = Math.round(durationMs / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ${padded(seconds % 60)}s`;
  const minutes = Math.round(seconds / 60);
  return `${Math.floor(minutes / 60)}h ${padded(minutes % 60)}m`;
}

/** A count with its digits in groups of three: `9,396`. */
export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** How many of something, in words that fit the number: `1 task`, `9,396 trials`. The plural is the word and an `s`. */
export function formatMany(count: number, word: string): string {
  return `${formatCount(count)} ${word}${count === 1 ? '' : 's'}`;
}

/** Tokens; `unknown` where nobody counted them. */
export function formatTokens(tokens: number | undefined): string {
  return tokens === undefined ? 'unknown' : formatCount(tokens);
}

/** US dollars without their sign: to the cent from one dollar on (`1,204.50`), below it with four decimals (`0.0312`). */
export function formatUsd(usd: number): string {
  if (usd > 0 && usd < 0.0001) return 'under 0.0001';
  if (usd === 0) return '0';
  const [whole = '', cents = ''] = usd.toFixed(usd < 1 ? 4 : 2).split('.');
  return `${formatCount(Number(whole))}.${cents}`;
}

/** The unscored by reason, most frequent first: `runtime-lost 2, not-run 1`; `none` without any. */
export function formatReasons(counts: Counts): string {
  const reasons = Object.entries(counts.byReason).sort(
    ([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1),
  );
  return reasons.map(([reason, count]) => `${reason} ${formatCount(count)}`).join(', ') || 'none';
}

/** Names up to a number, then how many more: no list is cut in silence. */
export function formatNames(names: readonly string[], most: number): string {
  if (names.length <= most) return names.join(', ');
  return `${names.slice(0, most).join(', ')} and ${formatCount(names.length - most)} more`;
}

/** An instant of a record (ISO, UTC) to the second, always with a zone: `2026-11-29T21:00:03Z`. */
export function formatInstant(at: string): string {
  return at.replace(/(?:\.\d+)?Z$/, 'Z');
}

/** One decimal; never `-0.0`. */
function fixed(value: number): string {
  const text = value.toFixed(1);
  return text === '-0.0' ? '0.0' : text;
}

function signed(value: number): string {
  const text = fixed(value);
  return text.startsWith('-') || text === '0.0' ? text : `+${text}`;
}

function padded(part: number): string {
  return String(part).padStart(2, '0');
}
