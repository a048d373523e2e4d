import type { TaskRule } from './task-rule.ts';

/** No reference solution: the gate has nothing to run. */
export const oracleMissing: TaskRule = {
  name: 'oracle-missing',
  check: ({ solution, dir }) =>
    solution.some(({ path }) => path === 'solution/solve.sh')
      ? []
      : [
          {
            severity: 'error',
            message: 'there is no reference solution: nothing shows that the task can be solved',
            where: { file: dir },
            repair: 'write solution/solve.sh',
          },
        ],
};

/** No solution that is wrong in one point. Tasks from elsewhere have none: their form knows no such thing. */
export const almostRightMissing: TaskRule = {
  name: 'almost-right-missing',
  check: ({ format, almostRight, dir }) =>
    format !== 'native' || almostRight.some(({ path }) => path === 'almost-right/solve.sh')
      ? []
      : [
          {
            severity: 'warning',
            message: 'no solution that is wrong in one point: how closely the verifier looks is not known',
            where: { file: dir },
            repair: 'write almost-right/solve.sh',
          },
        ],
};
