import { COMMAND } from '../model/command.ts';

/** The end of a command's help: command lines, without the program's name, as they would be typed. */
export function example(...commands: string[]): string {
  return `\nExamples:\n${commands.map((command) => `  ${COMMAND} ${command}`).join('\n')}`;
}
