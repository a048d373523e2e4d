/** Offset of the first character of each line; `\n`, `\r\n` and a lone `\r` end a line. */
export function lineStarts(text: string): number[] {
  const starts = [0];
  for (const end of text.matchAll(/\r\n|\n|\r/g)) starts.push(end.index + end[0].length);
  return starts;
}
