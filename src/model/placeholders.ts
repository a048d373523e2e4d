/** What the placeholders of a harness manifest stand for in one attempt. Those that are absent stay as they are written. */
export interface PlaceholderValues {
  /** Container path of the instruction. */
  readonly instruction: string;
  /** Container path of the harness bundle. */
  readonly bundle: string;
  /** The agent user's home. */
  readonly home: string;
  /** The task's working directory. */
  readonly workdir: string;
  readonly model?: string | undefined;
  /** `http://host:port`, as the container reaches it. */
  readonly gateway?: string | undefined;
  /** The attempt's own key for the gateway. */
  readonly token?: string | undefined;
}

/** The names of all placeholders, without their braces. */
export const PLACEHOLDERS = [
  'instruction',
  'bundle',
  'home',
  'workdir',
  'model',
  'gateway',
  'token',
] as const satisfies readonly (keyof PlaceholderValues)[];

const PLACEHOLDER = new RegExp(`\\{(${PLACEHOLDERS.join('|')})\\}`, 'g');

/** Of a placeholder's shape and nobody's else: `${x}` is a shell's, `{{x}}` a template's, `{ x }` nobody's. */
const SHAPE = /(?<![${])\{([a-z]+)\}(?!\})/g;

/** Replaces `{name}` for the known names and nothing else, so that JSON and TOML pass as they are. Values are not looked at again. */
export function fillPlaceholders(text: string, values: Partial<PlaceholderValues>): string {
  return text.replace(PLACEHOLDER, (whole, name: keyof PlaceholderValues) => values[name] ?? whole);
}

/** The words that stand in a text as a placeholder would and are none, each once. */
export function unknownPlaceholders(text: string): readonly string[] {
  const known: readonly string[] = PLACEHOLDERS;
  const words = [...text.matchAll(SHAPE)].flatMap(([, word = '']) => (known.includes(word) ? [] : [word]));
  return [...new Set(words)];
}
