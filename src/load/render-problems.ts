import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import type { Place, Problem } from '../model/problem.ts';

/**
 * Problems for people: `file:line:column severity: message`, the line itself with a caret, the repair.
 * Files are named relative to `root`; errors come first, each kind in the order given.
 */
export function renderProblems(problems: readonly Problem[], root: string): string {
  const lines = new Map<string, readonly string[]>();
  const ranks = ['error', 'warning', 'note'];
  const ordered = problems.toSorted((a, b) => ranks.indexOf(a.severity) - ranks.indexOf(b.severity));
  return ordered.map((problem) => `${renderProblem(problem, { root, lines })}\n`).join('');
}

interface Sources {
  readonly root: string;
  /** Files read already. */
  readonly lines: Map<string, readonly string[]>;
}

function renderProblem(problem: Problem, sources: Sources): string {
  const head = `${problem.severity}: ${visible(problem.message)}`;
  const where = problem.where === undefined ? '' : `${placeText(problem.where, sources.root)} `;
  const repair = problem.repair === undefined ? [] : [`  repair: ${visible(problem.repair)}`];
  return [`${where}${head}`, ...sourceLine(problem.where, sources), ...repair].join('\n');
}

function placeText(place: Place, root: string): string {
  const path = relative(root, resolve(root, place.file));
  const file = path === '' ? '.' : path.startsWith('..') ? place.file : path;
  return [visible(file), place.line, place.column].filter((part) => part !== undefined).join(':');
}

function sourceLine(place: Place | undefined, sources: Sources): string[] {
  if (place?.line === undefined) return [];
  const line = linesOf(resolve(sources.root, place.file), sources.lines)[place.line - 1];
  if (line === undefined || line.trim() === '') return [];
  const width = 100;
  const column = (place.column ?? 1) - 1;
  const start = column > width - 20 ? column - 40 : 0;
  const shownLine = visible(line.slice(start, start + width).replaceAll('\t', ' '));
  const caret = place.column === undefined ? [] : [`  | ${' '.repeat(column - start)}^`];
  return [`  | ${shownLine}`, ...caret];
}

function linesOf(path: string, cache: Map<string, readonly string[]>): readonly string[] {
  const cached = cache.get(path);
  if (cached !== undefined) return cached;
  let lines: readonly string[] = [];
  try {
    lines = readFileSync(path, 'utf8')
      .replace(/^\uFEFF/, '')
      .split(/\r?\n/);
  } catch {
    // A place in a file that is gone is still worth naming; only its line cannot be shown.
  }
  cache.set(path, lines);
  return lines;
}

/** Control characters of somebody's file must not reach a terminal. */
function visible(text: string): string {
  return text.replace(/\p{Cc}/gu, '\uFFFD');
}
