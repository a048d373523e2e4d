/** The disk would not take a record. The run must stop: what is not on disk did not happen. */
export class DiskError extends Error {
  readonly path: string;
  readonly full: boolean;
  constructor(path: string, { cause }: { readonly cause: unknown }) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    const full = code === 'ENOSPC' || code === 'EDQUOT';
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(
      full
        ? `the disk is full: ${path} could not be written; free some space, then run or resume: all that is recorded stands`
        : `${path} could not be written (${reason}); mend the disk, then run or resume: all that is recorded stands`,
      { cause },
    );
    this.name = 'DiskError';
    this.path = path;
    this.full = full;
  }
}

const REFUSALS = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES']);

/** Whether the disk itself refused: full, read-only, or without permission. */
export function isDiskRefusal(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && REFUSALS.has((error as NodeJS.ErrnoException).code ?? '');
}

/** Runs something that writes; what the file system throws becomes a {@link DiskError} that names the path. */
export async function onDisk<T>(path: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    throw new DiskError(path, { cause: error });
  }
}
