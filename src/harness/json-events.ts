import { eventLines } from './event-lines.ts';

/** What a stream of JSON lines came to. */
export interface EventCounts {
  /** Events that were understood. */
  readonly known: number;
  /** Lines that are no event that is known. */
  readonly unknown: number;
  /** The file ended within a line that could not be read. */
  readonly torn: boolean;
}

/** How one program's lines are read. */
export interface EventTaker {
  /** Takes one parsed line; false when it is no event that is known. */
  readonly take: (event: unknown) => boolean;
  /** Lines that are known to be no events and mean nothing. */
  readonly isNoise?: (line: string) => boolean;
}

/** Feeds the lines of a file to a taker, one at a time; memory is bounded by the longest line. Blank lines count as nothing. */
export async function readJsonEvents(path: string, { take, isNoise }: EventTaker): Promise<EventCounts> {
  let [known, unknown, torn] = [0, 0, false];
  for await (const line of eventLines(path)) {
    const text = line.text.trim();
    if (text === '' || isNoise?.(text)) continue;
    const event = parseJson(text);
    if (event !== undefined && take(event)) known += 1;
    else if (event === undefined && line.torn) torn = true;
    else unknown += 1;
  }
  return { known, unknown, torn };
}

/** The value of a JSON text; undefined when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
