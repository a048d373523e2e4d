import { type DoneSummary, jsonLines } from '../report/json-lines.ts';
import { logLines } from '../report/log-lines.ts';
import { progress } from '../report/progress.ts';
import type { Reporter } from '../report/reporter.ts';
import type { Environment } from './environment.ts';
import type { HowFlags } from './flags.ts';

/** One display: JSON lines for programs, bars on a terminal, plain lines elsewhere, nothing when quiet. */
export function reporterFor(
  environment: Environment,
  flags: Pick<HowFlags, 'json' | 'quiet'>,
): { readonly display: Reporter; readonly done: (summary: DoneSummary) => void } {
  const { stdout, stderr, env } = environment;
  const now = () => environment.now().getTime();
  const done = () => undefined;
  if (flags.json) {
    const lines = jsonLines({ ...stdout, now });
    return { display: lines, done: (summary) => lines.done(summary) };
  }
  if (flags.quiet) return { display: { onEvent: () => undefined, close: () => undefined }, done };
  const onTerminal = stderr.isTty && env.CI === undefined;
  return { display: onTerminal ? progress({ ...stderr, now }) : logLines({ ...stderr, now }), done };
}
