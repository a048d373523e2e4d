/** What the one who asks for reports decides; none of it changes a figure. */
export interface ReportOptions {
  /** The run's folder as readers of the reports find it, relative to the project: `runs/<run-id>`. `/` between parts. */
  readonly runPath: string;
  /** Folder of the reports as the reader finds it; absent: `reports` in the run's folder. */
  readonly reportsPath?: string;
  /**
   * What a failed no-skills trial is in JUnit. `failure` (the default): a failed trial is a failed case, in both arms
   * alike. `pass-with-note`: it passes and its system-out says that it failed, as a baseline may. The exit code of a
   * run never comes from failed trials.
   */
  readonly junitBaseline?: 'failure' | 'pass-with-note';
  /** Trials without a verdict were allowed by name: then `complete` holds in gates.xml. Default false. */
  readonly allowUnscored?: boolean;
}
