/** One thing that is not as it was when the run began. `drift` makes it another run; `allowed` does not touch what is measured. */
export interface Difference {
  /** Dotted path of what changed, such as `tasks.co2-trend.digest`. */
  readonly field: string;
  readonly kind: 'drift' | 'allowed';
  /** A sentence without a full stop. */
  readonly message: string;
}
