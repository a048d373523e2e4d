/** One item of a build's or pull's progress stream. */
export interface ProgressItem {
  readonly stream?: string;
  readonly status?: string;
  readonly error?: string;
  readonly errorDetail?: { readonly code?: number; readonly message?: string };
  readonly aux?: { readonly ID?: string };
}

const TAIL_LINES = 12;
const LONGEST_LINE = 2_000;
const STEP = /^Step \d+\/\d+ : /;
/** Lines with which the engine accompanies every step; they say nothing of why one failed. */
const NOISE = /^ ?---> |^Removing intermediate container |^\s*$/;

/** Keeps what a failed build is explained with: the step it was in and the last lines of that step's output. */
export class BuildLog {
  #step: string | undefined;
  #partial = '';
  #tail: string[] = [];
  #imageId: string | undefined;
  #error: string | undefined;
  #succeeded = false;

  /** Takes one item in. */
  add(item: ProgressItem): void {
    this.#error = item.errorDetail?.message ?? item.error ?? this.#error;
    this.#imageId = item.aux?.ID ?? this.#imageId;
    const lines = (this.#partial + (item.stream ?? '')).split('\n');
    this.#partial = (lines.pop() ?? '').slice(-LONGEST_LINE);
    for (const line of lines) this.#addLine(line);
  }

  /** The engine's own reason, once it has given one. */
  get error(): string | undefined {
    return this.#error;
  }

  /** The id that the engine named last. */
  get imageId(): string | undefined {
    return this.#imageId;
  }

  /** True when the engine has said in so many words, or by naming an image, that the build came to its end. */
  get succeeded(): boolean {
    return this.#error === undefined && (this.#succeeded || this.#imageId !== undefined);
  }

  /** The reason with its step and the last output, for people. */
  explain(reason: string): string {
    const where = this.#step === undefined ? '' : `${this.#step}: `;
    const tail = [...this.#tail, this.#partial].filter((line) => line.trim() !== '');
    const output =
      tail.length === 0 ? '' : `\nLast output of the step:\n${tail.map((l) => `  ${l}`).join('\n')}`;
    return `${where}${reason}${output}`;
  }

  #addLine(raw: string): void {
    const line = (raw.split('\r').findLast((part) => part !== '') ?? '').slice(0, LONGEST_LINE);
    if (line.startsWith('Successfully built ')) this.#succeeded = true;
    if (STEP.test(line)) {
      this.#step = line;
      this.#tail = [];
    } else if (!NOISE.test(line)) {
      this.#tail = [...this.#tail.slice(1 - TAIL_LINES), line];
    }
  }
}
