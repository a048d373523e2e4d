import type { TokenUsage } from '../model/model-use.ts';
import type { Trajectory, TrajectoryStep } from '../model/trajectory.ts';
import { makeClipper, TEXT_LIMIT } from './clipped-text.ts';
import type { EventCounts } from './json-events.ts';
import { instantMs, StepClock } from './step-clock.ts';

/** Steps that a trajectory keeps; later ones are counted only. */
export const STEP_LIMIT = 20_000;

/** A call of a tool as a program's output tells it. */
export interface ToolCall {
  readonly id?: string | undefined;
  readonly name: string;
  readonly input: unknown;
  readonly at?: string | undefined;
}

/** A tool's answer. */
export interface ToolResult {
  readonly text: string;
  readonly failed?: boolean | undefined;
  readonly at?: string | undefined;
}

/** Told of every call and answer as they come, with their texts whole. */
export interface CallListener {
  called(call: ToolCall): void;
  answered(call: ToolCall, result: ToolResult): void;
}

/** What only the end of the output tells. */
export interface TrajectoryEnd {
  readonly harness: string;
  readonly version?: string | undefined;
  readonly model?: string | undefined;
  readonly session?: string | undefined;
  readonly finalText?: string | undefined;
  readonly usage?: TokenUsage | undefined;
  /** The program wrote its own end. */
  readonly ended: boolean;
  readonly counts: EventCounts;
}

type CallStep = Extract<TrajectoryStep, { kind: 'tool-call' }>;
interface OpenCall {
  readonly call: ToolCall;
  readonly step: CallStep;
}

/** A trajectory in the making: bounded in memory, whatever the program writes. */
export class TrajectoryDraft {
  readonly clock = new StepClock();
  readonly #listener: CallListener;
  readonly #clipper = makeClipper();
  readonly #steps: TrajectoryStep[] = [];
  readonly #open = new Map<string, OpenCall>();
  #toolCalls = 0;
  #failedToolCalls = 0;
  #dropped = 0;
  #turn = 1;
  #answered = false;
  #lastText: string | undefined;
  #joined: { text: string; readonly at: string | undefined } | undefined;

  constructor(listener: CallListener) {
    this.#listener = listener;
  }

  get toolCalls(): number {
    return this.#toolCalls;
  }

  /** What the assistant said last. */
  get lastText(): string | undefined {
    return this.#joined?.text ?? this.#lastText;
  }

  user(text: string, at?: string): void {
    this.#join();
    this.clock.see(at);
    this.#add({ kind: 'user', text: this.#clipper.clip(text), ...stamp(at) });
  }

  reasoning(text: string, at?: string): void {
    this.#say('reasoning', text, at);
  }

  assistant(text: string, at?: string): void {
    this.#lastText = this.#say('assistant', text, at);
  }

  /** A piece of an assistant's text; pieces that follow each other make one step. */
  assistantPiece(text: string, at?: string): void {
    this.clock.see(at);
    this.#joined ??= { text: '', at };
    // Four times what is kept: the clipper then shows beginning and end of what came until here.
    if (this.#joined.text.length < 4 * TEXT_LIMIT) this.#joined.text += text;
  }

  call(call: ToolCall): void {
    this.#join();
    this.clock.see(call.at);
    this.#toolCalls += 1;
    const { id, name } = call;
    const step = this.#add<CallStep>({
      kind: 'tool-call',
      turn: this.#currentTurn(),
      ...(id === undefined ? {} : { call: id }),
      name,
      input: this.#clipper.clipValue(call.input),
      ...stamp(call.at),
    });
    this.#open.set(id ?? `#${this.#toolCalls}`, { call, step });
    this.#listener.called(call);
  }

  /** Answers the open call with that id; an answer without one belongs to the oldest. False when there is none. */
  result(id: string | undefined, result: ToolResult): boolean {
    this.clock.see(result.at);
    const key = id ?? this.#open.keys().next().value;
    const found = key === undefined ? undefined : this.#open.get(key);
    if (key === undefined || found === undefined) return false;
    this.#open.delete(key);
    this.#answered = true;
    answer(found.step, this.#clipper.clip(result.text), result);
    if (result.failed) this.#failedToolCalls += 1;
    this.#listener.answered(found.call, result);
    return true;
  }

  finish({ harness, version, model, session, finalText, usage, ended, counts }: TrajectoryEnd): Trajectory {
    this.#join();
    return {
      schemaVersion: 1,
      harness,
      ...(version === undefined ? {} : { version }),
      ...(model === undefined ? {} : { model }),
      ...(session === undefined ? {} : { session }),
      steps: this.#steps,
      ...(finalText === undefined ? {} : { finalText: this.#clipper.clip(finalText) }),
      usage: usage ?? {},
      whole: ended && !counts.torn,
      counts: {
        events: counts.known,
        unknownEvents: counts.unknown,
        toolCalls: this.#toolCalls,
        failedToolCalls: this.#failedToolCalls,
        droppedSteps: this.#dropped,
        clippedTexts: this.#clipper.clipped,
      },
    };
  }

  #say(kind: 'assistant' | 'reasoning', text: string, at: string | undefined): string {
    this.#join();
    this.clock.see(at);
    return this.#add({ kind, turn: this.#currentTurn(), text: this.#clipper.clip(text), ...stamp(at) }).text;
  }

  /** Whatever the model writes after an answer of a tool is a new turn. */
  #currentTurn(): number {
    if (this.#answered) this.#turn += 1;
    this.#answered = false;
    return this.#turn;
  }

  #join(): void {
    if (this.#joined === undefined) return;
    const { text, at } = this.#joined;
    this.#joined = undefined;
    this.#lastText = this.#say('assistant', text, at);
  }

  #add<T extends TrajectoryStep>(step: T): T {
    if (this.#steps.length < STEP_LIMIT) this.#steps.push(step);
    else this.#dropped += 1;
    return step;
  }
}

function answer(step: CallStep, text: string, { failed, at }: ToolResult): void {
  step.result = text;
  if (failed !== undefined) step.failed = failed;
  const [from, to] = [instantMs(step.at), instantMs(at)];
  if (from !== undefined && to !== undefined && to >= from) step.durationMs = to - from;
}

function stamp(at: string | undefined): { at?: string } {
  return at !== undefined && instantMs(at) !== undefined ? { at } : {};
}
