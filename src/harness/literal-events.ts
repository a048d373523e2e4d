import { z } from 'zod';
import { eventLines } from './event-lines.ts';

/** The events of the `literal` harness that decide anything; it writes others, and each may carry more members. */
const LiteralEvent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('start'), version: z.string() }),
  z.object({ kind: z.literal('skill-listed') }),
  z.object({ kind: z.literal('skill-opened'), path: z.string() }),
  z.object({ kind: z.literal('command') }),
  z.object({ kind: z.literal('copy') }),
  z.object({ kind: z.literal('end'), ok: z.boolean(), limit: z.literal('inner').optional() }),
]);
type LiteralEvent = z.infer<typeof LiteralEvent>;

/** What one trajectory of the `literal` harness comes to. */
export interface LiteralTrajectory {
  readonly started: boolean;
  /** Names of the folders of the opened SKILL.md files. */
  readonly opened: ReadonlySet<string>;
  readonly end: Extract<LiteralEvent, { kind: 'end' }> | undefined;
  /** The file ended within a line. */
  readonly torn: boolean;
  /** Lines that are no known event. */
  readonly unknown: number;
}

/** Reads a trajectory of the `literal` harness from its stdout on disk. */
export async function readLiteralEvents(stdoutPath: string): Promise<LiteralTrajectory> {
  const opened = new Set<string>();
  let [started, torn, unknown] = [false, false, 0];
  let end: LiteralTrajectory['end'];
  for await (const line of eventLines(stdoutPath)) {
    const event = parseEvent(line.text);
    if (event === undefined && line.torn) torn = true;
    else if (event === undefined) unknown += 1;
    else if (event.kind === 'start') started = true;
    else if (event.kind === 'skill-opened') opened.add(folderOf(event.path));
    else if (event.kind === 'end') end = event;
  }
  return { started, opened, end, torn, unknown };
}

function parseEvent(line: string): LiteralEvent | undefined {
  try {
    return LiteralEvent.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

function folderOf(skillFile: string): string {
  return skillFile.split('/').at(-2) ?? '';
}
