import { assertNever } from '../base/assert-never.ts';
import type { HarnessManifest } from '../model/harness.ts';
import type { TrajectoryReader } from './harness.ts';
import { literalReader } from './literal-reader.ts';
import { plainReader } from './plain-reader.ts';

/** The reader for a manifest's `trajectory`. */
export function trajectoryReader(kind: HarnessManifest['trajectory']): TrajectoryReader {
  switch (kind) {
    case 'none':
      return plainReader;
    case 'literal':
      return literalReader;
    default:
      return assertNever(kind);
  }
}
