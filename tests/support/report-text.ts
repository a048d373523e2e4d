import type { ReportFile } from '../../src/report/report-file.ts';

/** Reads rendered reports whole, by path. */
export async function reportTexts(files: readonly ReportFile[]): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const { path, content } of files) {
    if (typeof content === 'string') texts.set(path, content);
    else texts.set(path, (await Array.fromAsync(content)).join(''));
  }
  return texts;
}
