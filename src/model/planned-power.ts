/** How gains vary, as a design is judged by: standard deviations. */
export interface AssumedNoise {
  /** Of one trial's reward round its task's rate. */
  readonly trialSd: number;
  /** Of tasks' true gains. */
  readonly gainSdByTask: number;
}

/** A design, and the smallest true gain of one configuration that it finds in 80 of 100 goes; `null` under two tasks. */
export interface DesignPower {
  readonly tasks: number;
  /** Per task and arm. */
  readonly trials: number;
  readonly detectableGain: number | null;
}

/** What a planned experiment could show. */
export interface PlannedPower {
  readonly assumed: AssumedNoise;
  /** Where the assumption comes from, in words. */
  readonly source: string;
  readonly design: DesignPower;
  /** The same with more or fewer trials, then with more or fewer tasks. */
  readonly others: readonly DesignPower[];
}
