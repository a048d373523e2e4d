import { z } from 'zod';
import { Digest } from './ids.ts';

/** Relative to the task's folder, `/` between parts: it must not lead out. */
const InnerPath = z
  .string()
  .regex(
    /^(?!\/)(?!(?:.*\/)?\.\.?(?:\/|$))(?!.*\/\/)[^\0]+$/,
    'must be a path inside the task, without ".."',
  );

/** Where an imported task came from. */
export const ImportSource = z.discriminatedUnion('kind', [
  /** `path`: the task's folder, from where the command was given. */
  z.strictObject({ kind: z.literal('folder'), path: z.string() }),
  z.strictObject({
    kind: z.literal('git'),
    /** Without a password. */
    repository: z.string(),
    /** As it was asked for; absent: what the repository has as its own. */
    ref: z.string().optional(),
    commit: z.string().regex(/^[0-9a-f]{40,64}$/),
    /** The task's folder in the repository; empty for the repository itself. */
    folder: z.string(),
  }),
]);
export type ImportSource = z.infer<typeof ImportSource>;

/** One file, or one link, of an imported task. */
export const ImportedFile = z.strictObject({
  path: InnerPath,
  kind: z.enum(['file', 'link']),
  /** The owner's run bit. */
  executable: z.boolean().optional(),
  size: z.int().nonnegative().optional(),
  /** Of the content, of a link's target as written; absent where nobody told it. */
  digest: Digest.optional(),
  /** The source had no content for it, or had a pointer in its place; size and digest are those of the content. */
  absent: z.enum(['git-object', 'lfs-pointer', 'annex-pointer']).optional(),
  /** Name of the object that git did not have. */
  object: z.string().optional(),
});
export type ImportedFile = z.infer<typeof ImportedFile>;

/** `skillpair-import.json` in an imported task: what came in, and from where. */
export const ImportManifest = z.strictObject({
  schemaVersion: z.literal(1),
  importedAt: z.iso.datetime(),
  source: ImportSource,
  /** Sorted by path bytes. */
  files: z.array(ImportedFile),
});
export type ImportManifest = z.infer<typeof ImportManifest>;
