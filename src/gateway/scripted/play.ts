import { posix } from 'node:path';
import type { ModelTurn, PlainTurn } from '../../model/model-script.ts';
import type { Conversation } from './conversation.ts';
import { fittingSkills } from './fitting-skills.ts';
import type { ListedSkill } from './listed-skills.ts';
import { type Action, LAST_STEP, type Step, WAITING_TOOL } from './step.ts';
import { namedFiles, quoted, workCommand } from './work-command.ts';

/** Gives steps, and is told after each what came back of it. */
type Play = Generator<Step, void, string>;

/**
 * The step that answers a conversation: the turns are played from the start, with what came back of each, until there is
 * nothing further. No memory is needed, so that a request that is sent again gets the same answer.
 */
export function stepFor(turns: readonly ModelTurn[], conversation: Conversation): Step {
  const played = play(turns, conversation);
  const canWait = conversation.tools.some(({ name }) => name === WAITING_TOOL);
  const playing = canWait ? patiently(played) : played;
  let next = playing.next();
  for (const result of conversation.results) {
    if (next.done) break;
    next = playing.next(result);
  }
  return next.done ? LAST_STEP : next.value;
}

/** Some harnesses give back what a command has written until now, and have to be asked again until it has ended. */
function* patiently(playing: Play): Play {
  let next = playing.next();
  while (!next.done) {
    let back = yield next.value;
    for (let more = back; running(more).length > 0; back += more) {
      more = yield { actions: running(more).map((session) => ({ kind: 'wait', session })) };
    }
    next = playing.next(back);
  }
}

function running(back: string): readonly number[] {
  return [...back.matchAll(/^Process running with session ID (\d+)\s*$/gm)].map(([, session]) =>
    Number(session),
  );
}

function* play(turns: readonly ModelTurn[], talk: Conversation): Play {
  for (const { ifListed, turns: inner, otherwise, ...turn } of turns) {
    if (ifListed === undefined) yield* playOne(turn, talk);
    else for (const one of (isListed(ifListed, talk) ? inner : otherwise) ?? []) yield* playOne(one, talk);
  }
}

/** Whether a request lists a Skill to the model under this name. */
export function isListed(name: string, { listed }: Conversation): boolean {
  return listed.some((skill) => skill.name === name || skill.otherName === name);
}

function* playOne(turn: PlainTurn, talk: Conversation): Play {
  const text = turn.text === undefined ? {} : { text: turn.text };
  if (turn.strategy === 'literal') yield* literal(talk);
  else if (turn.followSkill !== undefined) yield* follow(turn.followSkill, { talk, text });
  else yield { ...text, actions: actionsOf(turn) };
}

function actionsOf(turn: PlainTurn): readonly Action[] {
  if (turn.shell !== undefined) return [turn.shell].flat().map((command) => ({ kind: 'shell', command }));
  if (turn.openSkill !== undefined) return [{ kind: 'open', skill: turn.openSkill }];
  if (turn.tool !== undefined) return [{ kind: 'tool', ...turn.tool }];
  return turn.finish === true ? [{ kind: 'finish', message: turn.text ?? 'Done.' }] : [];
}

interface Following {
  readonly talk: Conversation;
  readonly text?: { readonly text?: string };
}

/** Opens a Skill and runs its blocks; true when it had any. */
function* follow(name: string, { talk, text = {} }: Following): Generator<Step, boolean, string> {
  const opened = yield { ...text, actions: [{ kind: 'open', skill: name }] };
  const skill = talk.listed.find((one) => one.name === name || one.otherName === name);
  const command = workCommand({
    markdown: opened,
    skillDir: skillDir(opened, skill),
    instruction: talk.instruction,
  });
  if (command === undefined) return false;
  yield { actions: [{ kind: 'shell', command }] };
  return true;
}

/** The folder of an opened Skill: as its text came with it (absolute, or relative to the working directory), else as the listing has it. */
function skillDir(opened: string, skill: ListedSkill | undefined): string | undefined {
  const said =
    /^\s*Base directory for this skill:\s*(?:file:\/\/)?(\/[^\r\n]*?)\s*$/im.exec(opened)?.[1] ??
    /\bskill is located at `([^`\r\n]+)`/i.exec(opened)?.[1] ??
    /<(?:skill_dir|directory|location)>\s*(?:file:\/\/)?(\/[^<\r\n]*?)\s*</.exec(opened)?.[1];
  if (said !== undefined) return said.endsWith('.md') ? posix.dirname(said) : said.replace(/(?<=.)\/$/, '');
  const path = skill?.path ?? /(\/[^\s"'`<>]+)\/SKILL\.md\b/.exec(opened)?.[0];
  return path === undefined ? undefined : posix.dirname(path);
}

/** What the literal harness does, by the tools of another one. */
function* literal(talk: Conversation): Play {
  let hasWorked = false;
  for (const { name } of fittingSkills(talk.instruction, talk.listed)) {
    hasWorked = (yield* follow(name, { talk })) || hasWorked;
  }
  if (!hasWorked) yield* attemptNaively(talk.instruction);
}

/** The instruction's own commands, else a copy of the input in the output's place, else nothing. */
function* attemptNaively(instruction: string): Play {
  const { input, output } = namedFiles(instruction);
  const own = workCommand({ markdown: instruction, instruction });
  if (own !== undefined) yield { actions: [{ kind: 'shell', command: own }] };
  else if (input !== undefined && output !== undefined) {
    const command = `mkdir -p ${quoted(posix.dirname(output))} && cp ${quoted(input)} ${quoted(output)}`;
    yield { actions: [{ kind: 'shell', command }] };
  }
}
