import { canonicalJson } from '../base/canonical-json.ts';
import type { Finding } from '../model/finding.ts';
import { pathFrom } from './findings-text.ts';

/**
 * Findings as one line of canonical JSON, `{schemaVersion: 1, findings: […], …more}`: equal findings give equal bytes. Files are
 * relative to `root`, as in the text.
 */
export function findingsJson(
  findings: readonly Finding[],
  root: string,
  more: Readonly<Record<string, unknown>> = {},
): string {
  const placed = findings.map(({ where, ...finding }) => ({
    ...finding,
    ...(where === undefined ? {} : { where: { ...where, file: pathFrom(root, where.file) } }),
  }));
  return canonicalJson({ ...more, schemaVersion: 1, findings: placed });
}
