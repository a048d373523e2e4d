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
}

/** What the reading depends on. Of a big run these are one line in ten thousand: validating the others would double its time. */
const DECIDING: ReadonlySet<unknown> = new Set<RunEvent['kind']>(['run-started', 'run-ended']);
const KINDS: ReadonlySet<unknown> = new Set(RunEvent.options.map((option) => option.shape.kind.value));

/**
 * Reads `events.jsonl` as a stream. Every line must be an event by its kind; those that decide are validated whole. A last line
 * without its end is what a killed runner leaves: it is left out and told. Damage anywhere else rejects with InputError that names the line.
 * An absent file is a run that never began.
 */
export async function readEvents(file: string): Promise<JournalReading> {
  const state: State = { file, line: 0, endedBy: 'unfinished' };
  const tornBytes = await readLines(file, (text) => readLine(text, state)).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return 0;
      throw error;
    },
  );
  return { endedBy: state.endedBy, tornBytes };
}

/** A phase exactly as the journal writes it: nine lines in ten are such, and nothing here depends on them. */
const PHASE_LINE =
  /^\{"kind":"phase-(?:started","at":"[\d:.TZ-]+","trial":"[^"\\]+","attempt":\d+,"phase":"[a-z]+"|ended","at":"[\d:.TZ-]+","trial":"[^"\\]+","attempt":\d+,"phase":"[a-z]+","durationMs":\d[\d.e+-]*)\}$/;

interface State {
  readonly file: string;
  line: number;
  endedBy: RunRecord['endedBy'];
}

function readLine(text: string, state: State): void {
  state.line++;
  // Parsing them would double the time of a reading.
  if (PHASE_LINE.test(text)) return;
  const origin = {
    file: state.file,
    line: state.line,
    repair: 'put the file back from a copy, or delete this line: attempts are read from their own files',
  };
  const value = parseJson(text, origin);
  const kind = typeof value === 'object' && value !== null && 'kind' in value ? value.kind : undefined;
  if (!KINDS.has(kind)) throw damage(origin, 'the line is not an event', origin.repair);
  if (!DECIDING.has(kind)) return;
  const event = parseRecord(RunEvent, text, origin);
  if (event.kind === 'run-started') state.endedBy = 'unfinished';
  if (event.kind === 'run-ended') state.endedBy = event.reason;
}
