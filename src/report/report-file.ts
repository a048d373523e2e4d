/** One report, before it is written. */
export interface ReportFile {
  /** Relative to the reports folder, `/` between parts. */
  readonly path: string;
  /** Whole, or in pieces made while they are read, so that a report of 100,000 trials never stands in memory. Read once. */
  readonly content: string | AsyncIterable<string>;
}
