import { RunEvent } from '../model/event.ts';
import type { RunRecord } from '../model/run-record.ts';
import { damage } from './damage.ts';
import { parseJson, parseRecord } from './parse-record.ts';
import { readLines } from './read-lines.ts';

/** What a journal says of the run as a whole. */
export interface JournalReading {
  readonly endedBy: RunRecord['endedBy'];
  /** Bytes of a torn last line, which was left out; 0 when the journal is whole. */
  readonly tornBytes: number;
  readonly notices: readonly string[];
}

const KINDS: ReadonlySet<unknown> = new Set(RunEvent.options.map((option) => option.shape.kind.value));

/**
 * Reads `events.jsonl` as a stream. Every line must be an event; those that decide are validated whole. A last line without its end is what
 * a killed runner leaves: it is left out and told. Damage anywhere else rejects with InputError that names the line.
 * An absent file is a run that never began.
 */
export async function readEvents(file: string): Promise<JournalReading> {
  const state: State = { file, line: 0, endedBy: 'unfinished', notices: [] };
  const tornBytes = await readLines(file, (text) => readLine(text, state)).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return 0;
      throw error;
    },
  );
  return { endedBy: state.endedBy, tornBytes, notices: state.notices };
}

interface State {
  readonly file: string;
  line: number;
  endedBy: RunRecord['endedBy'];
  readonly notices: string[];
}

function readLine(text: string, state: State): void {
  state.line++;
  const origin = {
    file: state.file,
    line: state.line,
    repair: 'put the file back from a copy, or delete this line: attempts are read from their own files',
  };
  const value = parseJson(text, origin);
  const kind = typeof value === 'object' && value !== null && 'kind' in value ? value.kind : undefined;
  if (!KINDS.has(kind)) throw damage(origin, 'the line is not an event', origin.repair);
  // Nine lines in ten are phases, which nothing here depends on: validating them would double the time of a reading.
  if (kind === 'phase-started' || kind === 'phase-ended') return;
  const event = parseRecord(RunEvent, text, origin);
  if (event.kind === 'run-started') state.endedBy = 'unfinished';
  if (event.kind === 'run-ended') state.endedBy = event.reason;
  if (event.kind === 'notice') state.notices.push(event.message);
}
