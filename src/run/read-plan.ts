import { posix } from 'node:path';
import type { ImageIndex } from '../image/image-tree.ts';

/** What a call costs beside the bytes that it brings, in bytes: a call takes the engine about 45 ms, in which it could send so many. */
const CALL_BYTES = 8 << 20;

/** Something to be read in one call, and how much the image has there. */
export interface ReadRoot {
  readonly path: string;
  readonly bytes: number;
}

/**
 * The paths of a container to ask for so that all wanted ones are read at the least cost: a folder whole, where that is cheaper
 * than what is wanted of it singly. Pure.
 */
export function readPlan(index: ImageIndex, wanted: Iterable<string>): ReadRoot[] {
  const tree = new Map<string, Set<string>>();
  for (const path of wanted) addTo(tree, path);
  if (tree.size === 0) return [];
  const bytes = bytesBelow(index);
  return planOf('/', { index, tree, bytes }).roots;
}

interface Costs {
  readonly index: ImageIndex;
  /** Wanted paths and the folders above them: folder -> what is in it. */
  readonly tree: ReadonlyMap<string, ReadonlySet<string>>;
  readonly bytes: ReadonlyMap<string, number>;
}

function planOf(path: string, costs: Costs): { readonly roots: ReadRoot[]; readonly cost: number } {
  const bytes = costs.bytes.get(path) ?? 0;
  const whole = { roots: [{ path, bytes }], cost: CALL_BYTES + bytes };
  const children = costs.tree.get(path);
  if (children === undefined) return whole;
  const plans = [...children].map((child) => planOf(child, costs));
  const cost = plans.reduce((sum, plan) => sum + plan.cost, 0);
  // The engine cannot give the root in one piece.
  if (path !== '/' && whole.cost <= cost) return whole;
  return { roots: plans.flatMap(({ roots }) => roots), cost };
}

function addTo(tree: Map<string, Set<string>>, path: string): void {
  for (let at = path; at !== '/'; at = posix.dirname(at)) {
    const parent = posix.dirname(at);
    const there = tree.get(parent);
    if (there?.has(at)) return;
    if (there === undefined) tree.set(parent, new Set([at]));
    else there.add(at);
  }
}

/** Bytes of all files below each folder, and of each file. */
function bytesBelow({ entries }: ImageIndex): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const [path, { size }] of entries) {
    if (size === 0) continue;
    for (let at = path; at !== '/'; at = posix.dirname(at)) sums.set(at, (sums.get(at) ?? 0) + size);
  }
  return sums;
}
