import { type Trial, trialId } from '../model/trial.ts';
import type { Selected } from './select.ts';

/** Every trial there is to run: task x condition x configuration x index, indexes from 1. The order says nothing. */
export function matrix(
  selected: Pick<Selected, 'tasks' | 'conditions' | 'configurations'>,
  trials: number,
): Trial[] {
  const indexes = Array.from({ length: trials }, (_, place) => place + 1);
  return selected.configurations.flatMap((configuration) =>
    selected.tasks.flatMap((task) =>
      indexes.flatMap((index) =>
        selected.conditions.map((condition) => {
          const parts = { task: task.id, condition, configuration: configuration.name, index };
          return { id: trialId(parts), ...parts };
        }),
      ),
    ),
  );
}
