/** Harnesses that stand outside the comparison: one runs the solution, one does nothing. */
const CONTROL_HARNESSES: readonly string[] = ['oracle', 'nop'];

/** Whether what a configuration of this harness does tells of tasks alone. */
export function isControlHarness(harness: string | undefined): boolean {
  return harness !== undefined && CONTROL_HARNESSES.includes(harness);
}
