/** What stands in a repository in the place of a large file, which is kept elsewhere. */
export interface ContentPointer {
  readonly by: 'Git LFS' | 'git-annex';
  /** Bytes of the content, where the pointer tells. */
  readonly size?: number;
  /** `sha256:<hex>` of the content, where the pointer tells. */
  readonly digest?: string;
}

/** Bytes; no pointer is longer. */
export const LONGEST_POINTER = 1024;

const LFS =
  /^version https:\/\/(?:git-lfs|hawser)\.github\.com\/spec\/v1\n(?:[\s\S]*\n)?oid sha256:([0-9a-f]{64})\nsize (\d+)\n?$/;
/** A pointer file's only line, or the target of a link: a key ends both. */
const ANNEX = /(?:^|\/)annex\/objects\/(?:[^/\n]+\/)*([A-Z0-9_]+(?:-[a-zA-Z]\d+)*--[^/\n]+)\n?$/;

/** What a file's text, or a link's target, points to; undefined where it is content of its own. */
export function contentPointer(text: string): ContentPointer | undefined {
  const lfs = LFS.exec(text);
  if (lfs !== null) return { by: 'Git LFS', size: Number(lfs[2]), digest: `sha256:${lfs[1]}` };
  const key = ANNEX.exec(text)?.[1];
  if (key === undefined) return undefined;
  const size = /^[^-]+(?:-[a-zA-Z]\d+)*?-s(\d+)/.exec(key)?.[1];
  const hash = /^SHA256E?(?:-[a-zA-Z]\d+)*--([0-9a-f]{64})/.exec(key)?.[1];
  return {
    by: 'git-annex',
    ...(size === undefined ? {} : { size: Number(size) }),
    ...(hash === undefined ? {} : { digest: `sha256:${hash}` }),
  };
}
