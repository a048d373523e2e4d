import { join } from 'node:path';
import { pythonLines } from './python-tokens.ts';
import { tellingNumbers } from './significant-text.ts';
import { fewOf, type TaskRule } from './task-rule.ts';

/** The instruction tells values that the tests compare with. */
export const instructionTellsAnswer: TaskRule = {
  name: 'instruction-tells-answer',
  check: ({ tests, instruction, dir }) => {
    const asserted = new Set(
      tests
        .filter(({ path, text }) => path.endsWith('.py') && text !== undefined)
        .flatMap(({ text }) => pythonLines(text ?? ''))
        .filter(
          ({ tokens }) =>
            tokens[0]?.text === 'assert' &&
            tokens.some(({ text }) => text === '==' || /close|approx/.test(text)),
        )
        .flatMap(({ tokens }) => tokens.filter(({ kind }) => kind === 'number'))
        .flatMap(({ text }) => tellingNumbers(text).map(({ value }) => value)),
    );
    const told = tellingNumbers(instruction).filter(({ value }) => asserted.has(value));
    const [first] = told;
    if (first === undefined) return [];
    return [
      {
        severity: 'note',
        message: `the instruction tells ${fewOf(told.map(({ value }) => value))}, which the tests compare with`,
        where: { file: join(dir, 'instruction.md'), line: first.line },
        repair: 'nothing need be done for input and tolerances; an answer should be worked out',
      },
    ];
  },
};
