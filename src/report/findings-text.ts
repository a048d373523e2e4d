import { relative, resolve } from 'node:path';
import type { Finding } from '../model/finding.ts';
import type { Problem } from '../model/problem.ts';
import { formatMany } from './format.ts';
import { plainLine } from './plain-text.ts';

const RANKS: Readonly<Record<Problem['severity'], number>> = { error: 0, warning: 1, note: 2 };

/**
 * A line for each finding, as compilers write it: `file:line:column severity: message [rule]; repair: …`. Files are named relative
 * to `root`. Within a subject errors come first; subjects and findings of one severity keep their order. Empty without findings.
 */
export function renderFindings(findings: readonly Finding[], root: string): string {
  const subjects = [...Map.groupBy(findings, ({ subject }) => subject).values()];
  return subjects
    .flatMap((ofOne) => ofOne.toSorted((a, b) => RANKS[a.severity] - RANKS[b.severity]))
    .map((finding) => `${findingLine(finding, root)}\n`)
    .join('');
}

/** One finding on one line, without its end. */
export function findingLine(finding: Finding, root: string): string {
  const { severity, message, repair, rule, score } = finding;
  const likeness = score === undefined ? '' : ` (score ${score.toFixed(2)})`;
  const advice = repair === undefined ? '' : `; repair: ${plainLine(repair)}`;
  return `${placeText(finding, root)} ${severity}: ${plainLine(message)}${likeness} [${rule}]${advice}`;
}

/** How many of which severity: `2 errors, 1 warning`; `no findings` without any. */
export function countFindings(findings: readonly Finding[]): string {
  const counts = (['error', 'warning', 'note'] as const)
    .map((severity) => [severity, findings.filter((one) => one.severity === severity).length] as const)
    .filter(([, count]) => count > 0)
    .map(([severity, count]) => formatMany(count, severity));
  return counts.join(', ') || 'no findings';
}

/** A file as a person finds it from `root`; one that lies outside keeps its path. */
export function pathFrom(root: string, file: string): string {
  const path = relative(root, resolve(root, file));
  if (path === '') return '.';
  return path === '..' || path.startsWith('../') ? file : path;
}

function placeText({ where, subject }: Finding, root: string): string {
  if (where === undefined) return plainLine(subject);
  const parts = [plainLine(pathFrom(root, where.file)), where.line, where.column];
  return parts.filter((part) => part !== undefined).join(':');
}
