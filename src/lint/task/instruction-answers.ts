import { join } from 'node:path';
import type { ContentFile } from '../../model/task-content.ts';
import { pythonSource } from './python-functions.ts';
import { tellingNumbers } from './significant-text.ts';
import { fewOf, type TaskRule } from './task-rule.ts';

/** The instruction tells values that the tests compare with. */
export const instructionTellsAnswer: TaskRule = {
  name: 'instruction-tells-answer',
  check: ({ tests, instruction, dir }) => {
    const asserted = assertedNumbers(tests);
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

/** Telling numbers that the Python tests compare something with. */
export function assertedNumbers(tests: readonly ContentFile[]): ReadonlySet<string> {
  const compared = tests
    .flatMap((file) => pythonSource(file) ?? [])
    .filter(
      ({ tokens: [first, ...rest] }) =>
        first?.text === 'assert' && rest.some(({ text }) => text === '==' || /close|approx/.test(text)),
    );
  const numbers = compared.flatMap(({ tokens }) => tokens.filter(({ kind }) => kind === 'number'));
  return new Set(numbers.flatMap(({ text }) => tellingNumbers(text).map(({ value }) => value)));
}
