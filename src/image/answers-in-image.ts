import type { ImageIndex } from './image-tree.ts';

/** Files this small are alike by accident. */
const TRIVIAL_BYTES = 32;

/** A file that only the verifier or the reference solution should have. */
export interface HiddenFile {
  /** Relative to the task's folder. */
  readonly path: string;
  readonly size: number;
  readonly digest?: string;
}

/** Files of tests and solution that stand in the image as well, where every agent can read them; `known` digests are there on purpose. */
export function answersInImage(
  index: ImageIndex,
  hidden: readonly HiddenFile[],
  known: ReadonlySet<string>,
): { readonly containerPath: string; readonly path: string }[] {
  const wanted = new Map(
    hidden.flatMap(({ path, size, digest }) =>
      digest === undefined || size <= TRIVIAL_BYTES || known.has(digest) ? [] : [[digest, path] as const],
    ),
  );
  return [...index.entries].flatMap(([containerPath, { digest }]) => {
    const path = digest === undefined ? undefined : wanted.get(digest);
    return path === undefined ? [] : [{ containerPath, path }];
  });
}
