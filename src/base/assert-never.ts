/** Makes a `switch` over a closed union exhaustive at compile time; reached at run time it is a bug. */
export function assertNever(value: never): never {
  throw new Error(`unexpected value: ${JSON.stringify(value)}`);
}
