/**
 * Makes text that will be read twice: the first whole reading keeps the pieces (as bytes, outside the heap), the second
 * gives them back and lets them go. A reading that stops early keeps nothing; any further one makes the text anew.
 */
export function readTwice(render: () => Iterable<string>): () => Iterable<string> {
  let kept: Buffer[] | undefined;
  return function* read() {
    const pieces = kept ?? [];
    if (kept !== undefined) {
      kept = undefined;
      for (const piece of pieces) yield piece.toString('utf8');
      return;
    }
    for (const piece of render()) {
      pieces.push(Buffer.from(piece, 'utf8'));
      yield piece;
    }
    kept = pieces;
  };
}
