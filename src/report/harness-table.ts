import { plainLine } from './plain-text.ts';
import { textColumns } from './text-columns.ts';

/** What is told of one harness. */
export interface HarnessRow {
  readonly id: string;
  readonly title: string;
  readonly version: string;
  /** Undefined: it needs no model. */
  readonly protocol: string | undefined;
  /** In how many folders it finds Skills. */
  readonly discoveryFolders: number;
  readonly bundle: 'none' | 'built' | 'not-built' | 'unknown';
}

const BUNDLE = { none: 'none', built: 'built', 'not-built': 'not built', unknown: '?' } as const;

/** A line for each harness. */
export function renderHarnesses(harnesses: readonly HarnessRow[]): string {
  const head = ['harness', 'version', 'protocol', 'Skill folders', 'bundle'];
  const rows = harnesses.map(({ id, version, protocol, discoveryFolders, bundle }) => [
    id,
    plainLine(version),
    protocol ?? 'no model',
    String(discoveryFolders),
    BUNDLE[bundle],
  ]);
  return textColumns(head, rows);
}
