import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';

/** What tells one process from every other that ever had its number, on any machine of the same name. */
export interface ProcessLife {
  /** A digest of the machine's own id; empty where it has none. */
  readonly machine: string;
  /** Of the system's start. */
  readonly boot: string;
  /** The namespace that the number counts in: containers of one machine each have their own, and may have the machine's name. */
  readonly namespace: string;
  /** When it started, in ticks since the system's start. */
  readonly start: string;
}

/**
 * Of the process with this number as seen from here; `ended` where it only waits for its parent to notice; undefined where the system does not
 * show it: there is none, it is another user's and hidden, or there is no /proc at all.
 */
export function processLife(pid: number | 'self'): ProcessLife | 'ended' | undefined {
  try {
    // The second field is the program's name in parentheses, which may hold anything.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    const [state = '', start = ''] = [fields[0], fields[19]];
    if (state === 'Z' || state === 'X') return 'ended';
    if (start === '') return undefined;
    return { ...here(), start };
  } catch {
    return undefined;
  }
}

/** In one word, for labels. */
export function lifeText({ machine, boot, namespace, start }: ProcessLife): string {
  return [machine, boot, namespace, start].join('.');
}

/** Reads what {@link lifeText} wrote; undefined for anything else. */
export function parseLife(text: string): ProcessLife | undefined {
  const [machine, boot, namespace, start, ...more] = text.split('.');
  if (machine === undefined || boot === undefined || namespace === undefined || !start || more.length > 0)
    return undefined;
  return { machine, boot, namespace, start };
}

function here(): Omit<ProcessLife, 'start'> {
  const id = textOf('/etc/machine-id');
  return {
    machine: id === '' ? '' : createHash('sha256').update(`skillpair ${id}`).digest('hex').slice(0, 12),
    boot: textOf('/proc/sys/kernel/random/boot_id').replaceAll('-', '').slice(0, 12),
    namespace: /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '',
  };
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return '';
  }
}
