/** What stands between the first and the last bytes of a report that comes earlier in the same list. */
export interface ReportPart {
  readonly partOf: string;
  readonly skipStart: number;
  readonly skipEnd: number;
}

/** One report, before it is written. */
export interface ReportFile {
  /** Relative to the reports folder, `/` between parts. */
  readonly path: string;
  /**
   * Whole, or in pieces made while they are read, so that a report of 100,000 trials never stands in memory. What an earlier
   * report holds already is named and neither made nor kept a second time. Read once.
   */
  readonly content: string | AsyncIterable<string | ReportPart>;
}
