/** One line of the benchmarks' table. */
export interface Figure {
  readonly name: string;
  readonly figure: number;
  readonly unit: 'ms' | 's' | 'MiB' | 'x' | '%' | 'calls' | 'files' | 'bytes';
  /** Against what the figure is held, where it is a ratio of two measurements of one run. */
  readonly ratio?: number;
  /** From the project's design; absent for figures that only explain others. */
  readonly target?: { readonly text: string; readonly reached: boolean };
}

/** A figure that must not exceed a limit; the ratio counts where there is one. */
export function atMost(limit: number, figure: Omit<Figure, 'target'>): Figure {
  const { ratio, unit } = figure;
  const text = ratio === undefined ? `<= ${limit} ${unit}` : `<= ${limit}x`;
  return { ...figure, target: { text, reached: (ratio ?? figure.figure) <= limit } };
}

/** A figure that must reach a limit. */
export function atLeast(limit: number, figure: Omit<Figure, 'target'>): Figure {
  return { ...figure, target: { text: `>= ${limit} ${figure.unit}`, reached: figure.figure >= limit } };
}

/** The middle value, or the mean of the two middle ones. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** Milliseconds that work takes, on the monotonic clock. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}
