import { shellActs } from './shell-acts.ts';
import { bodiesIn, type SkillBodies } from './skill-bodies.ts';
import { type SkillPlace, skillPlaces } from './skill-paths.ts';
import { type SkillTool, toolAct } from './tool-act.ts';
import type { CallListener, ToolCall } from './trajectory-draft.ts';

/** What a watched trajectory shows of Skills, by the names of their folders. */
export interface SkillSightings {
  readonly opened: ReadonlySet<string>;
  readonly scriptRun: ReadonlySet<string>;
  /** Attempts whose answer never came. */
  readonly unanswered: ReadonlySet<string>;
}

/** A listener of calls that knows Skills. */
export interface SkillWatch extends CallListener {
  sightings(): SkillSightings;
}

/** What the watch is told of the program. */
export interface WatchedProgram {
  readonly skillTool?: SkillTool;
  /** Its shell keeps its folder from one call to the next. */
  readonly keepsFolder?: boolean;
  /** Folder names by every name under which the model may know a Skill. */
  readonly names: ReadonlyMap<string, string>;
  /** Lines by which the bodies of the Skills in the container are known. */
  readonly bodies: SkillBodies;
}

interface Sighting {
  readonly opened: readonly string[];
  readonly scriptRun: readonly string[];
  readonly shell: boolean;
}

/** Answers of a shell command that failed before it read anything. */
const NOTHING_READ = /no such file|cannot open|can't open|not found|permission denied|cannot access/i;
/** The same where the program does not mark failed commands: only words that name a file which is not there. */
const NO_FILE = /: no such file or directory|can't open file/i;

/** Watches calls for Skills that are opened or run. A call counts when its answer shows that it worked. */
export function watchSkills(program: WatchedProgram): SkillWatch {
  const known = [...new Set(program.names.values())];
  const pending = new Map<ToolCall, Sighting>();
  const [opened, scriptRun] = [new Set<string>(), new Set<string>()];
  let folder = '';
  const look = (call: ToolCall): Sighting => {
    const act = toolAct(call.name, call.input, program.skillTool);
    if (act.kind === 'opens-skill') return openedByName(program.names, act.skill);
    if (act.kind === 'reads') {
      return {
        opened: act.paths.flatMap((path) => inside(skillPlaces(path, known))),
        scriptRun: [],
        shell: false,
      };
    }
    if (act.kind === 'other') return { opened: [], scriptRun: [], shell: false };
    const acts = shellActs(act.command, act.folder ?? folder);
    if (program.keepsFolder) folder = acts.folder;
    const run = acts.runs.flatMap((path) => inside(skillPlaces(path, known)));
    return {
      opened: acts.reads.flatMap((path) => named(skillPlaces(path, known))),
      scriptRun: run,
      shell: true,
    };
  };
  return {
    called: (call) => {
      const sighting = look(call);
      if (sighting.opened.length + sighting.scriptRun.length > 0) pending.set(call, sighting);
    },
    answered: (call, result) => {
      for (const skill of bodiesIn(result.text, program.bodies)) opened.add(skill);
      const sighting = pending.get(call);
      pending.delete(call);
      if (sighting === undefined || isVain(sighting, result)) return;
      for (const skill of sighting.opened) opened.add(skill);
      for (const skill of sighting.scriptRun) scriptRun.add(skill);
    },
    sightings: () => ({
      opened,
      scriptRun,
      unanswered: new Set([...pending.values()].flatMap((each) => [...each.opened, ...each.scriptRun])),
    }),
  };
}

/** A failed command may have read or run its files before it failed, unless it says that it could not. */
function isVain(
  { shell }: Sighting,
  { text, failed }: { text: string; failed?: boolean | undefined },
): boolean {
  if (failed !== true) return shell && text.length < 500 && NO_FILE.test(text);
  return !shell || NOTHING_READ.test(text);
}

/** A model may name a Skill with the name of a plugin before it, or with a slash. */
function openedByName(names: ReadonlyMap<string, string>, name: string): Sighting {
  const bare = name.replace(/^\//, '').split(':').at(-1) ?? name;
  const skill = names.get(name) ?? names.get(bare) ?? bare;
  return { opened: skill === '' ? [] : [skill], scriptRun: [], shell: false };
}

function inside(places: readonly SkillPlace[]): string[] {
  return places.filter((place) => place.inside).map(({ skill }) => skill);
}

function named(places: readonly SkillPlace[]): string[] {
  return places.map(({ skill }) => skill);
}
