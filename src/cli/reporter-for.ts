import { jsonLines } from '../report/json-lines.ts';
import { logLines } from '../report/log-lines.ts';
import { progress } from '../report/progress.ts';
import type { Reporter } from '../report/reporter.ts';
import type { Environment } from './environment.ts';
import type { HowFlags } from './flags.ts';

/** One display: JSON lines for programs, bars on a terminal, plain lines elsewhere, nothing when quiet. */
export function reporterFor(environment: Environment, flags: Pick<HowFlags, 'json' | 'quiet'>): Reporter {
  const { stdout, stderr, now, env } = environment;
  if (flags.json) return jsonLines({ ...stdout, now });
  if (flags.quiet) return { onEvent: () => undefined, close: async () => undefined };
  const onTerminal = stderr.isTty && env.CI === undefined;
  return onTerminal ? progress({ ...stderr, now }) : logLines({ ...stderr, now });
}
