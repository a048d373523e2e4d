import { z } from 'zod';
import { ModelProtocol } from './model-protocol.ts';

/** The actions of which a turn has at most one. */
const ACTIONS = ['shell', 'openSkill', 'followSkill', 'tool', 'finish', 'strategy'] as const;

const steps = {
  /** Said in this turn; alone, it ends the agent's work. */
  text: z.string().optional(),
  /** Run with the harness's own tool for commands; several are called at once. */
  shell: z
    .union([z.string().min(1), z.array(z.string().min(1)).min(1)], {
      error: 'neither a command nor a list of commands\nwrite a text, or a list of texts',
    })
    .optional(),
  /** Opened with the harness's own tool for Skills, else by reading the file that the request lists. */
  openSkill: z.string().min(1).optional(),
  /** Opened, and in the next turn its command blocks are run, as they stand in what the harness gave back. */
  followSkill: z.string().min(1).optional(),
  /** A tool of one harness by its own name, with exactly this input; a text for tools that take no JSON. */
  tool: z
    .strictObject({
      name: z.string().min(1),
      input: z.union([z.record(z.string(), z.unknown()), z.string()]).prefault({}),
    })
    .optional(),
  /** The end: by the harness's own tool where it has one. */
  finish: z.literal(true).optional(),
  /** `literal`: follow the listed Skills that fit the instruction, else make its own naive attempt, then end. */
  strategy: z.enum(['literal']).optional(),
} as const;

type Issues = z.core.$RefinementCtx;

function complain(
  issues: Issues,
  path: readonly PropertyKey[],
  [said, repair]: readonly [string, string],
): void {
  issues.addIssue({ code: 'custom', path: [...path], message: `${said}\n${repair}` });
}

function oneAction(turn: Readonly<Record<string, unknown>>, issues: Issues): void {
  const named = ACTIONS.filter((key) => turn[key] !== undefined);
  const second =
    named[1] ?? (turn.strategy !== undefined && turn.text !== undefined ? 'strategy' : undefined);
  if (second !== undefined) {
    complain(issues, [second], ['a second thing to do in one turn', 'make it a turn of its own']);
  }
}

/** What a scripted model says and does when it is asked once. */
export const PlainTurn = z.strictObject(steps).superRefine((turn, issues) => {
  oneAction(turn, issues);
  if (Object.keys(turn).length === 0)
    complain(issues, [], ['an empty turn', `give it a text or an action: ${ACTIONS.join(', ')}`]);
});
export type PlainTurn = z.infer<typeof PlainTurn>;

/** A turn of a scripted model, or a fork: by `ifListed`, other turns take its place. */
export const ModelTurn = z
  .strictObject({
    ...steps,
    /** A Skill's name: is it listed to the model? If so, `turns` come, else `otherwise`. */
    ifListed: z.string().min(1).optional(),
    turns: z.array(PlainTurn).optional(),
    otherwise: z.array(PlainTurn).optional(),
  })
  .superRefine((turn, issues) => {
    const { ifListed, turns, otherwise, ...plain } = turn;
    if (ifListed === undefined) {
      const stray = turns !== undefined ? 'turns' : 'otherwise';
      if (turn[stray] !== undefined)
        complain(issues, [stray], ['turns without a question', `add "ifListed:" with a Skill's name`]);
      else if (Object.keys(plain).length === 0)
        complain(issues, [], ['an empty turn', `give it a text or an action: ${ACTIONS.join(', ')}`]);
      oneAction(plain, issues);
      return;
    }
    const [beside] = Object.keys(plain);
    if (beside !== undefined)
      complain(
        issues,
        [beside],
        ['beside "ifListed", which stands for other turns', 'move it into "turns" or "otherwise"'],
      );
    if (turns === undefined && otherwise === undefined)
      complain(issues, ['ifListed'], ['a question without answers', 'add "turns:" or "otherwise:" below it']);
  });
export type ModelTurn = z.infer<typeof ModelTurn>;

/** The ways in which a scripted provider fails. */
export const ModelFaultKind = z.enum([
  /** An error status, in the protocol's own form. */
  'status',
  /** Takes the request and sends nothing, not even headers. */
  'no-answer',
  /** Sends headers and then nothing. */
  'no-body',
  /** Breaks the connection instead of an answer. */
  'reset',
  /** An event that is not JSON; streams only. */
  'garbage',
  /** Breaks the connection in mid-stream; streams only. */
  'truncate',
  /** Goes silent in mid-stream and keeps the connection; streams only. */
  'stall',
  /** Status 200 and a web page, as a wrong proxy gives. */
  'html',
  /** Status 200 and an empty body. */
  'empty',
  /** Tool calls whose arguments are no JSON object. */
  'bad-arguments',
  /** An error event of the protocol after the stream has begun; streams only. */
  'stream-error',
  /** A good answer that another model signs. */
  'served-model',
]);
export type ModelFaultKind = z.infer<typeof ModelFaultKind>;

/** When and how a scripted provider fails. Only requests for an answer do; counting tokens and listing models never. */
export const ModelFault = z
  .strictObject({
    kind: ModelFaultKind,
    /** For `status`: such as 401, 403, 404, 429, 500, 503 or 529. */
    status: z.int().min(400).max(599).optional(),
    /** For `status`: seconds in a `Retry-After` header. */
    retryAfter: z.number().min(0).optional(),
    /** For `served-model`: the name that signs. */
    model: z.string().min(1).optional(),
    /** Number of the first turn that fails, counted from 0. */
    from: z.int().min(0).default(0),
    /** Only this many attempts at a request fail: by how often the same came before, or its `x-stainless-retry-count`; absent: all. */
    firstAttempts: z.int().min(1).optional(),
  })
  .superRefine((fault, issues) => {
    for (const [key, kind] of Object.entries(NEEDED_BY)) {
      const value = fault[key as keyof typeof NEEDED_BY];
      if (fault.kind === kind && value === undefined && key !== 'retryAfter')
        issues.addIssue({
          code: 'invalid_type',
          expected: key === 'status' ? 'number' : 'string',
          input: value,
          path: [key],
        });
      if (fault.kind !== kind && value !== undefined)
        complain(issues, [key], [`only for "kind: ${kind}"`, `remove it, or write "kind: ${kind}"`]);
    }
  });
export type ModelFault = z.infer<typeof ModelFault>;

const NEEDED_BY = { status: 'status', retryAfter: 'status', model: 'served-model' } as const;

/** How fast and how large a scripted answer comes. */
export const ModelPace = z.strictObject({
  /** Milliseconds before the answer begins. */
  firstByteMs: z.int().min(0).default(0),
  /** Milliseconds between two events of a stream. */
  chunkMs: z.int().min(0).default(0),
  /** Into how many pieces a text is cut; absent: a few words each. */
  chunks: z.int().min(1).max(1_000_000).optional(),
  /** A text is repeated until it has this many bytes. */
  bytes: z.int().min(1).max(1_073_741_824).optional(),
});
export type ModelPace = z.infer<typeof ModelPace>;

function isRegExp(text: string): boolean {
  try {
    return new RegExp(text, 'u') !== undefined;
  } catch {
    return false;
  }
}

/** What a request must hold for a rule to apply: all that is named. */
export const RequestMatch = z.strictObject({
  /** Text that the instruction holds. */
  instruction: z.string().min(1).optional(),
  /** Regular expression (JavaScript, flag `u`) that fits a part of the instruction. */
  instructionMatches: z
    .string()
    .refine(isRegExp, {
      error:
        'no regular expression\nclose its brackets, and put "\\\\" before signs that stand for themselves',
    })
    .optional(),
  /** Model name or glob. */
  model: z.string().min(1).optional(),
  /** Name of a Skill that is listed to the model. */
  listed: z.string().min(1).optional(),
  protocol: ModelProtocol.optional(),
});
export type RequestMatch = z.infer<typeof RequestMatch>;

/** Turns for the requests that it fits. */
export const ScriptRule = z.strictObject({
  when: RequestMatch.prefault({}),
  /** Served one after the other, by the number of tool results in the request; then comes the end. */
  turns: z
    .array(ModelTurn)
    .min(1)
    .prefault([{ strategy: 'literal' }]),
  fault: ModelFault.optional(),
  pace: ModelPace.prefault({}),
});
export type ScriptRule = z.infer<typeof ScriptRule>;

/** A script instead of a model. Each answer follows from the request alone. */
export const ModelScript = z.strictObject({
  schemaVersion: z.literal(1),
  /** What it is for, for people. */
  description: z.string().optional(),
  /** Names in answers to requests for a list of models. */
  models: z.array(z.string().min(1)).min(1).default(['scripted-model']),
  /** The first that fits a request answers it. */
  rules: z.array(ScriptRule).min(1),
});
export type ModelScript = z.infer<typeof ModelScript>;
