/**
 * Passes messages on, but after each is silent for `pauseMs`; the next one then tells how many there were meanwhile. What an engine in trouble
 * has to say would else fill a journal.
 */
export function seldom(
  tell: (message: string) => void,
  pauseMs: number,
  now: () => number = () => performance.now(),
): (message: string) => void {
  let toldAt = Number.NEGATIVE_INFINITY;
  let untold = 0;
  return (message) => {
    if (now() - toldAt < pauseMs) {
      untold += 1;
      return;
    }
    tell(untold === 0 ? message : `${message} (and ${untold} more such since the last time)`);
    toldAt = now();
    untold = 0;
  };
}
