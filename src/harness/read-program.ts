import type { TokenUsage } from '../model/model-use.ts';
import type { Skill } from '../model/skill.ts';
import { readFirstRequest } from './first-request.ts';
import type { HarnessFault, HarnessReading, ReadingInput, TrajectoryReader } from './harness.ts';
import { type EventCounts, type EventTaker, readJsonEvents } from './json-events.ts';
import { readEnding, type StreamEnd } from './read-ending.ts';
import { skillBodies } from './skill-bodies.ts';
import { skillUses } from './skill-evidence.ts';
import { readSkillListing, type SkillListing } from './skill-listing.ts';
import { watchSkills } from './skill-watch.ts';
import { streamTail } from './stream-tail.ts';
import { tokenNotices } from './token-check.ts';
import type { SkillTool } from './tool-act.ts';
import { TrajectoryDraft } from './trajectory-draft.ts';
import { trajectoryNotices } from './trajectory-notices.ts';

/** What a program's events have told until now. */
export interface ProgramState {
  readonly started: boolean;
  readonly end?: StreamEnd | undefined;
  /** The provider's refusal after which nothing has come but further refusals. */
  readonly waitingFor?: HarnessFault | undefined;
  readonly usage?: TokenUsage | undefined;
  readonly version?: string | undefined;
  readonly model?: string | undefined;
  readonly session?: string | undefined;
  /** Where it is not what the assistant said last. */
  readonly finalText?: string | undefined;
  /** Skills that the program itself says it found; used where no request was kept. */
  readonly found?: readonly string[] | undefined;
  /** Skills whose body the program put into a message without a call. */
  readonly loaded?: readonly string[] | undefined;
}

/** A state machine over one program's event stream. */
export interface ProgramMachine extends EventTaker {
  readonly state: ProgramState;
  /** Reads what the session files add, once the stream is read. */
  readonly readSession?: (dir: string) => Promise<void>;
  /** What ended a program that wrote no end of its own, as its exit code and stderr tell. */
  readonly endWithout?: (exitCode: number | null, stderrTail: string) => StreamEnd | undefined;
}

/** What differs from one program to the next. */
export interface Program {
  /** Name of the reader in manifests and trajectories. */
  readonly harness: string;
  /** As users know it. */
  readonly title: string;
  readonly skillTool?: SkillTool;
  readonly keepsFolder?: boolean;
  readonly start: (draft: TrajectoryDraft, input: ReadingInput) => ProgramMachine;
}

/** The reader of a program that writes events as JSON lines on its stdout. */
export function programReader(program: Program): TrajectoryReader {
  return { read: (input) => readProgram(program, input) };
}

async function readProgram(program: Program, input: ReadingInput): Promise<HarnessReading> {
  const { agent, skills, modelUse } = input;
  const bodies = await skillBodies(skills.filter(({ name }) => input.staged?.includes(name)));
  const watch = watchSkills({ ...program, names: namesOf(skills), bodies });
  const draft = new TrajectoryDraft(watch);
  const machine = program.start(draft, input);
  const counts = await readJsonEvents(input.stdoutPath, machine);
  if (input.sessionDir !== undefined) await machine.readSession?.(input.sessionDir);
  const stderrTail = await streamTail(input.stderrPath);
  const { state } = machine;
  const end = state.end ?? machine.endWithout?.(agent.exitCode, stderrTail);
  const finalText = state.finalText ?? draft.lastText;
  const { notices, ...ending } = readEnding(agent, {
    program: program.title,
    started: state.started,
    end: end?.kind === 'completed' ? { ...end, finalText } : end,
    waitingFor: state.waitingFor,
    stderrTail,
    failedRequests: modelUse?.failedRequests,
  });
  const completed = end?.kind === 'completed' && ending.fault === undefined;
  const usage = state.usage ?? {};
  return {
    ...ending,
    skillUse: skillUses({
      skills,
      staged: input.staged,
      ownSkills: input.ownSkills ?? [],
      listing: readSkillListing(await readFirstRequest(input.firstRequestPath)) ?? foundListing(state.found),
      loaded: state.loaded ?? [],
      sightings: watch.sightings(),
      blind: isBlind(state, counts),
    }),
    notices: [
      ...notices,
      ...trajectoryNotices(agent, { counts, clock: draft.clock, toolCalls: draft.toolCalls, completed }),
      ...(completed ? tokenNotices(usage, modelUse) : []),
    ],
    trajectory: draft.finish({
      ...program,
      ...state,
      finalText,
      usage,
      ended: state.end !== undefined,
      counts,
    }),
  };
}

/** Every name under which a model may know a Skill, to its folder's name. */
function namesOf(skills: readonly Skill[]): ReadonlyMap<string, string> {
  return new Map([
    ...skills.map(({ name, title }) => [title, name] as const),
    ...skills.map(({ name }) => [name, name] as const),
  ]);
}

function foundListing(found: readonly string[] | undefined): SkillListing | undefined {
  return found === undefined
    ? undefined
    : { listed: found.map((name) => ({ name, description: '' })), loaded: [] };
}

/** A stream of which more lines are strange than known is of another shape than the one that is read. */
function isBlind({ started }: ProgramState, { known, unknown, torn }: EventCounts): boolean {
  return !started || torn || unknown > known;
}
