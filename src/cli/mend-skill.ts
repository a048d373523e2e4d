import { stat } from 'node:fs/promises';
import { atomicWrite } from '../base/atomic-write.ts';
import { mendSkillFile } from '../load/mend-skill-file.ts';
import { isMendable } from '../model/skill-rule.ts';
import { unifiedDiff } from '../report/unified-diff.ts';
import type { SkillAssessment } from './assess-skill.ts';

/**
 * Mends a SKILL.md on disk where that takes no choice, and returns what was changed as a diff; empty where there was nothing. A link to
 * a file inside the bundle stays one: its target is written. Mode and everything below the head stay.
 */
export async function mendSkill({ loaded, subject }: SkillAssessment): Promise<string> {
  const { text } = loaded;
  const entry = loaded.entries.find(({ path }) => path === 'SKILL.md');
  if (text === undefined || entry === undefined) return '';
  if (!loaded.problems.some(({ rule }) => isMendable(rule))) return '';
  const mended = mendSkillFile(text);
  if (mended === text) return '';
  const { mode } = await stat(entry.hostPath);
  await atomicWrite(entry.hostPath, mended, { mode: mode & 0o777 });
  const name = `${subject}/SKILL.md`;
  return unifiedDiff({ name, text }, { name, text: mended });
}
