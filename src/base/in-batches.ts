/** Works on some items at a time, batch after batch; results in the order of the items. Rejects with the first failure. */
export async function inBatches<T, R>(
  items: readonly T[],
  size: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const done: R[] = [];
  for (let at = 0; at < items.length; at += size)
    done.push(...(await Promise.all(items.slice(at, at + size).map(work))));
  return done;
}
