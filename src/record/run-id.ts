import { RunId } from '../model/ids.ts';

/**
 * A readable run id that sorts by time: `<experiment>-20260301-101530-<suffix>` (UTC). The suffix, lower-case letters and digits,
 * keeps runs of one second apart; the caller draws it. Throws when the parts do not make a valid id.
 */
export function makeRunId(experimentName: string, at: Date, suffix: string): RunId {
  const [day = '', time = ''] = at.toISOString().split('T');
  const stamp = `${day.replaceAll('-', '')}-${time.slice(0, 8).replaceAll(':', '')}`;
  return RunId.parse(`${experimentName}-${stamp}-${suffix}`);
}
