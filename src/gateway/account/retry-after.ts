/**
 * How long a provider asks to wait, in ms: from `retry-after-ms`, from `Retry-After` in seconds or as a date, or from the `retryDelay` that
 * Gemini writes into the error. Undefined where it does not say.
 */
export function retryAfterMs(
  headers: Readonly<Record<string, string>>,
  text: string,
  now: number,
): number | undefined {
  const exact = Number(headers['retry-after-ms'] ?? Number.NaN);
  if (exact >= 0) return exact;
  const header = headers['retry-after']?.trim();
  if (header !== undefined && header !== '') {
    const seconds = Number(header);
    if (seconds >= 0) return seconds * 1000;
    const date = Date.parse(header);
    if (!Number.isNaN(date)) return Math.max(0, date - now);
  }
  const [, delay] = /"retryDelay"\s*:\s*"(\d+(?:\.\d+)?)s"/.exec(text) ?? [];
  return delay === undefined ? undefined : Number(delay) * 1000;
}
