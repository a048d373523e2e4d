import type { InstructionText } from './instruction-text.ts';

/** Flags that the engine's plain builder knows, by instruction; any other asks for BuildKit. */
const FLAGS: Readonly<Record<string, readonly string[]>> = {
  COPY: ['from', 'chown'],
  ADD: ['chown'],
  RUN: [],
  FROM: ['platform'],
  HEALTHCHECK: ['interval', 'timeout', 'start-period', 'retries'],
};

/** What in an instruction only BuildKit understands, so that it is told before anything is built. */
export function unsupportedProblem(
  instruction: InstructionText & { readonly keyword: string },
): { readonly message: string; readonly repair: string } | undefined {
  const { keyword, flags, hereDocument } = instruction;
  if (hereDocument > 0)
    return {
      message: `${keyword} uses a here-document (<<), which the engine's builder does not know`,
      repair:
        keyword === 'RUN'
          ? 'write the commands as one RUN with "&&", or put them into a script and COPY it'
          : 'put the text into a file of the build context and COPY that',
    };
  const flag = flags.find((each) => !(FLAGS[keyword] ?? []).includes(each.name));
  if (flag === undefined) return undefined;
  return {
    message: `${keyword} --${flag.name} needs BuildKit, which the engine's builder is not`,
    repair: repairOf(keyword, flag.name),
  };
}

function repairOf(keyword: string, flag: string): string {
  if (keyword === 'RUN') return `leave --${flag} out, or do what it does in the command itself`;
  if (flag === 'chmod') return 'set the mode in the build context, or RUN chmod afterwards';
  return `leave --${flag} out`;
}
