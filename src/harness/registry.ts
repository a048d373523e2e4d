import { assertNever } from '../base/assert-never.ts';
import type { HarnessManifest } from '../model/harness.ts';
import { claudeCodeReader } from './claude-code-reader.ts';
import { codexReader } from './codex-reader.ts';
import { geminiCliReader } from './gemini-cli-reader.ts';
import type { TrajectoryReader } from './harness.ts';
import { literalReader } from './literal-reader.ts';
import { openCodeReader } from './opencode-reader.ts';
import { openHandsReader } from './openhands-reader.ts';
import { plainReader } from './plain-reader.ts';
import { qwenCodeReader } from './qwen-code-reader.ts';

/** The reader for a manifest's `trajectory`. */
export function trajectoryReader(kind: HarnessManifest['trajectory']): TrajectoryReader {
  switch (kind) {
    case 'none':
      return plainReader;
    case 'literal':
      return literalReader;
    case 'claude-code':
      return claudeCodeReader;
    case 'codex':
      return codexReader;
    case 'gemini-cli':
      return geminiCliReader;
    case 'openhands':
      return openHandsReader;
    case 'qwen-code':
      return qwenCodeReader;
    case 'opencode':
      return openCodeReader;
    default:
      return assertNever(kind);
  }
}
