import type { AgentResult, Notice, SkillUse } from '../model/attempt.ts';
import type { ModelUse } from '../model/model-use.ts';
import type { Ending, UnscoredReason } from '../model/outcome.ts';
import type { Skill } from '../model/skill.ts';
import type { Trajectory } from '../model/trajectory.ts';

/** What left a trial without a verdict, and why. */
export interface HarnessFault {
  readonly reason: UnscoredReason;
  readonly detail: string;
}

/** What a reader of a harness's own output concludes. A `fault` leaves the trial unscored. */
export interface HarnessReading {
  readonly ending: Ending;
  readonly fault?: HarnessFault;
  readonly limit?: AgentResult['limit'];
  readonly skillUse: readonly SkillUse[];
  /** What was odd in the output and changes nothing: a torn last line, unknown events. */
  readonly notices?: readonly Notice[];
  /** Absent for programs that leave none. */
  readonly trajectory?: Trajectory;
}

/** Everything that an attempt left behind and that says what its agent did. */
export interface ReadingInput {
  readonly stdoutPath: string;
  readonly stderrPath: string;
  readonly agent: AgentResult;
  /** The task's Skills, in either arm. */
  readonly skills: readonly Skill[];
  /** Names of the Skills that were put into this container; absent: not known. */
  readonly staged?: readonly string[] | undefined;
  /** Names of Skills that the program brings along (the manifest's `ownSkills`). */
  readonly ownSkills?: readonly string[];
  /** Host folder with the files that the program left of its session; read where the streams say less. */
  readonly sessionDir?: string;
  /** Host file with the body of the first model request, which names the Skills that the model was told of. */
  readonly firstRequestPath?: string;
  /** The gateway's own account of the attempt's model requests. */
  readonly modelUse?: ModelUse;
}

/** Reads what one kind of harness leaves behind: streams on disk, and the engine's own account of the ending. */
export interface TrajectoryReader {
  read(input: ReadingInput): Promise<HarnessReading>;
}
