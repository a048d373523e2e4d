import type { ReportOutput } from '../../src/report/reporter.ts';

/** An output whose writes are kept; `now` is the (fakeable) clock of the test. */
export function capturedOutput(
  isTty: boolean,
  columns = 80,
): ReportOutput & { readonly writes: string[]; text(): string } {
  const writes: string[] = [];
  return {
    writes,
    text: () => writes.join(''),
    stream: { write: (chunk: string) => writes.push(chunk) },
    columns,
    isTty,
    now: () => Date.now(),
  };
}
