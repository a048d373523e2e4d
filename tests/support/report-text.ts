import type { ReportFile, ReportPart } from '../../src/report/report-file.ts';

/** Reads rendered reports whole, by path. */
export async function reportTexts(files: readonly ReportFile[]): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const { path, content } of files) {
    if (typeof content === 'string') texts.set(path, content);
    else {
      const pieces = await Array.fromAsync(content);
      texts.set(
        path,
        pieces.map((piece) => (typeof piece === 'string' ? piece : middle(piece, texts))).join(''),
      );
    }
  }
  return texts;
}

function middle({ partOf, skipStart, skipEnd }: ReportPart, texts: ReadonlyMap<string, string>): string {
  const bytes = Buffer.from(texts.get(partOf) ?? '');
  return bytes.toString('utf8', skipStart, bytes.length - skipEnd);
}
