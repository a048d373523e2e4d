import type { AgentResult, Notice, SkillUse } from '../model/attempt.ts';
import type { Ending, UnscoredReason } from '../model/outcome.ts';
import type { Skill } from '../model/skill.ts';

/** What a reader of a harness's own output concludes. A `fault` leaves the trial unscored. */
export interface HarnessReading {
  readonly ending: Ending;
  readonly fault?: { readonly reason: UnscoredReason; readonly detail: string };
  readonly limit?: AgentResult['limit'];
  readonly skillUse: readonly SkillUse[];
  /** What was odd in the output and changes nothing: a torn last line, unknown events. */
  readonly notices?: readonly Notice[];
}

/** Reads what one kind of harness leaves behind: streams on disk, and the engine's own account of the ending. */
export interface TrajectoryReader {
  read(input: {
    readonly stdoutPath: string;
    readonly stderrPath: string;
    readonly agent: AgentResult;
    readonly skills: readonly Skill[];
    /** Host folder of the session files that the manifest names; absent where none were kept. */
    readonly sessionDir?: string;
  }): Promise<HarnessReading>;
}
