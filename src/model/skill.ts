import { z } from 'zod';
import { Digest } from './ids.ts';

/** One file of a bundle, as it will stand in a container. */
export const BundleEntry = z.strictObject({
  /** Relative to the bundle, `/` between parts; folders have no trailing slash. */
  path: z.string(),
  kind: z.enum(['file', 'folder']),
  /** 0o755 for folders and files with an owner's run bit, 0o644 for other files: umask-free. */
  mode: z.int(),
  size: z.int().nonnegative(),
  /** Content hash; absent for folders. */
  digest: Digest.optional(),
  /** Where its bytes are on the host (the link's target, for a link inside the bundle). */
  hostPath: z.string(),
});
export type BundleEntry = z.infer<typeof BundleEntry>;

/**
 * A Skill: a folder with SKILL.md (agentskills.io). The injected bytes are the bytes on disk.
 * `name` is the folder's name, under which it is injected; `title` the frontmatter's.
 */
export const Skill = z.strictObject({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  dir: z.string(),
  /** Over sorted (path, mode, content): `bundleDigest` in load/digest.ts. */
  digest: Digest,
  entries: z.array(BundleEntry),
});
export type Skill = z.infer<typeof Skill>;
