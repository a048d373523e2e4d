import { z } from 'zod';
import type { TokenUsage } from '../model/model-use.ts';
import type { Trajectory, TrajectoryStep } from '../model/trajectory.ts';

const extra = z.record(z.string(), z.unknown()).optional();
const ToolCall = z.strictObject({
  tool_call_id: z.string(),
  function_name: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  extra,
});
const ObservationResult = z.strictObject({
  source_call_id: z.string().optional(),
  content: z.string().optional(),
  extra,
});
const tokens = z.int().nonnegative().optional();

/** A step of an ATIF document. What belongs to agents alone is refused in the steps of others. */
const AtifStep = z
  .strictObject({
    step_id: z.int().positive(),
    timestamp: z.iso.datetime({ offset: true, local: true }).optional(),
    source: z.enum(['system', 'user', 'agent']),
    message: z.string(),
    reasoning_content: z.string().optional(),
    tool_calls: z.array(ToolCall).optional(),
    observation: z.strictObject({ results: z.array(ObservationResult) }).optional(),
    extra,
  })
  .refine(
    ({ source, reasoning_content, tool_calls }) =>
      source === 'agent' || (reasoning_content === undefined && tool_calls === undefined),
    'only steps of the agent have reasoning and tool calls',
  )
  .refine(
    ({ tool_calls = [], observation }) =>
      (observation?.results ?? []).every(({ source_call_id: id }) =>
        tool_calls.some((call) => call.tool_call_id === id),
      ),
    'a result must name a call of the same step',
  );

/**
 * The part of ATIF-v1.8 that is written: the Agent Trajectory Interchange Format of Harbor's RFC 0001
 * (`rfcs/0001-trajectory-format.md` in harbor-framework/harbor; v1.8 adds audio parts to v1.7 and changes nothing else).
 * The format is closed: members that it does not know are refused. Left out are images, audio, sub-agents and token ids.
 */
export const AtifTrajectory = z
  .strictObject({
    schema_version: z.literal('ATIF-v1.8'),
    session_id: z.string().optional(),
    agent: z.strictObject({
      name: z.string(),
      version: z.string(),
      model_name: z.string().optional(),
      extra,
    }),
    steps: z.array(AtifStep).min(1),
    notes: z.string().optional(),
    final_metrics: z
      .strictObject({
        total_prompt_tokens: tokens,
        total_completion_tokens: tokens,
        total_cached_tokens: tokens,
        total_steps: z.int().nonnegative().optional(),
        extra,
      })
      .optional(),
    extra,
  })
  .refine(
    ({ steps }) => steps.every(({ step_id }, index) => step_id === index + 1),
    'steps are numbered 1, 2, ... without a gap',
  );
export type AtifTrajectory = z.infer<typeof AtifTrajectory>;
type AtifStep = z.infer<typeof AtifStep>;

/**
 * A trajectory in ATIF; undefined when it holds no step, of which the format wants one. Each turn becomes a step, and so
 * does each further text within a turn.
 */
export function toAtif(trajectory: Trajectory): AtifTrajectory | undefined {
  const { version, model, session, counts } = trajectory;
  const steps = atifSteps(trajectory.steps);
  if (steps.length === 0) return undefined;
  return AtifTrajectory.parse({
    schema_version: 'ATIF-v1.8',
    ...(session === undefined ? {} : { session_id: session }),
    agent: {
      name: trajectory.harness,
      version: version ?? 'unknown',
      ...(model === undefined ? {} : { model_name: model }),
    },
    steps,
    final_metrics: { ...totals(trajectory.usage), total_steps: steps.length },
    extra: { whole: trajectory.whole, ...counts },
  });
}

function totals({ input, output, cachedInput, cacheWrite, reasoning }: TokenUsage): object {
  const more = defined({ cache_write_tokens: cacheWrite, reasoning_tokens: reasoning });
  return {
    ...defined({
      total_prompt_tokens: input,
      total_completion_tokens: output,
      total_cached_tokens: cachedInput,
    }),
    ...(Object.keys(more).length === 0 ? {} : { extra: more }),
  };
}

function defined(counts: Readonly<Record<string, number | undefined>>): Record<string, number | undefined> {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== undefined));
}

function atifSteps(steps: readonly TrajectoryStep[]): AtifStep[] {
  const made: AtifStep[] = [];
  let turn = 0;
  for (const [index, step] of steps.entries()) {
    if (step.kind === 'user') {
      addStep(made, 'user', step);
      turn = 0;
      continue;
    }
    const open = step.turn === turn ? made.at(-1) : undefined;
    turn = step.turn;
    if (step.kind === 'tool-call') addCall(open ?? addStep(made, 'agent', { at: step.at }), step, index);
    else addSpoken(made, step, open);
  }
  return made;
}

type Spoken = Extract<TrajectoryStep, { kind: 'assistant' | 'reasoning' }>;

/** Text joins a step that has none yet and thoughts join one that has none of its own: they come in this order. */
function addSpoken(made: AtifStep[], step: Spoken, open: AtifStep | undefined): void {
  const isFresh = open !== undefined && open.message === '' && open.tool_calls === undefined;
  if (step.kind === 'reasoning') addStep(made, 'agent', { at: step.at }).reasoning_content = step.text;
  else if (isFresh) open.message = step.text;
  else addStep(made, 'agent', step);
}

function addStep(
  made: AtifStep[],
  source: AtifStep['source'],
  step: { text?: string; at?: string | undefined },
): AtifStep {
  const timestamp = step.at === undefined ? {} : { timestamp: step.at };
  const added: AtifStep = { step_id: made.length + 1, ...timestamp, source, message: step.text ?? '' };
  made.push(added);
  return added;
}

function addCall(step: AtifStep, call: Extract<TrajectoryStep, { kind: 'tool-call' }>, index: number): void {
  // Ids of programs repeat (one counts items anew in each turn): the place in the trajectory makes them one of a kind.
  const id = call.call === undefined ? `call-${index + 1}` : `${call.call}-${index + 1}`;
  const { failed, durationMs } = call;
  const about = {
    ...(failed === undefined ? {} : { failed }),
    ...(durationMs === undefined ? {} : { durationMs }),
  };
  step.tool_calls ??= [];
  step.tool_calls.push({ tool_call_id: id, function_name: call.name, arguments: argumentsOf(call.input) });
  if (call.result === undefined) return;
  const result = {
    source_call_id: id,
    content: call.result,
    ...(Object.keys(about).length === 0 ? {} : { extra: about }),
  };
  step.observation ??= { results: [] };
  step.observation.results.push(result);
}

/** The format wants an object. */
function argumentsOf(input: unknown): Record<string, unknown> {
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input);
  return isObject ? { ...input } : { input: input ?? null };
}
