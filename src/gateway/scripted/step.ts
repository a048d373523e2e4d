/** Something that a scripted model does, before it is known by which tool. */
export type Action =
  | { readonly kind: 'shell'; readonly command: string }
  | { readonly kind: 'open'; readonly skill: string }
  | {
      readonly kind: 'tool';
      readonly name: string;
      readonly input: Readonly<Record<string, unknown>> | string;
    }
  /** Until commands that still run have ended; by the numbers that the harness gave them. */
  | { readonly kind: 'wait'; readonly session: number }
  | { readonly kind: 'finish'; readonly message: string };

/** One answer of a scripted model: what it says, then what it does. */
export interface Step {
  readonly text?: string;
  readonly actions: readonly Action[];
}

/** What comes after the last turn of a script. */
export const LAST_STEP: Step = { text: 'Done.', actions: [{ kind: 'finish', message: 'Done.' }] };

/** Codex's tool that looks again at a command which still runs. */
export const WAITING_TOOL = 'write_stdin';
