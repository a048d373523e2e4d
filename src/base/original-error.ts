/** The error that came first, where letting go of something failed too and wrapped it: that is what went wrong. */
export function originalError(error: unknown): unknown {
  return error instanceof SuppressedError ? originalError(error.suppressed) : error;
}
