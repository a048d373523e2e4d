import { formatCount, formatMany } from './format.ts';
import { plainLine } from './plain-text.ts';

/** One difference, as {@link renderSkillDiff} tells it. */
export interface ShownDifference {
  readonly kind: string;
  readonly path: string;
  readonly bytes?: readonly [number, number];
  readonly size?: number;
  readonly value?: string;
  readonly before?: string;
  readonly after?: string;
}

/** A line for each difference, then that of the text; empty where there is none. */
export function renderSkillDiff(differences: readonly ShownDifference[], textDiff: string): string {
  const lines = differences.map(
    (one) => `${plainLine(`${one.kind.replace('-', ' ')}: ${one.path}${change(one)}`)}\n`,
  );
  return lines.join('') + (textDiff === '' ? '' : `\n${textDiff}`);
}

function change({ bytes, size, value, before, after }: ShownDifference): string {
  if (size !== undefined) return ` (${formatMany(size, 'byte')})`;
  if (value !== undefined) return ` (${value})`;
  if (bytes !== undefined) return ` (${formatCount(bytes[0])} -> ${formatCount(bytes[1])} bytes)`;
  return before === undefined ? '' : ` (${before} -> ${after})`;
}
