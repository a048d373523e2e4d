import { canonicalJson } from '../../base/canonical-json.ts';
import type { Engine } from '../../engine/engine.ts';
import { InputError } from '../../model/problem.ts';
import { makePlan } from '../../plan/plan.ts';
import { renderPlan } from '../../report/plan-table.ts';
import { renderPower } from '../../report/power-table.ts';
import { reachEngine } from '../compose.ts';
import { type Environment, say } from '../environment.ts';
import { EXIT } from '../exit-code.ts';
import { type SelectionFlags, selectionOf } from '../flags.ts';
import { loadExperiment, warnings } from '../load-experiment.ts';
import { lookAtImages } from '../look-at-images.ts';
import { planPower } from '../plan-power.ts';

interface PlanFlags {
  readonly json?: boolean;
  readonly substitute?: Readonly<Record<string, string>>;
  readonly power: boolean;
  /** A run whose noise is assumed. */
  readonly like?: string;
  readonly runs: string;
}

/**
 * `skillpair plan`: what `run` would do, without doing it. Works without an engine; what it would build is then unknown.
 * An image that cannot be had is wrong input, told after everything is printed.
 */
export async function planCommand(
  environment: Environment,
  [path = '']: readonly string[],
  flags: SelectionFlags & PlanFlags,
): Promise<number> {
  const project = await loadExperiment(environment, path, flags.substitute);
  const planned = makePlan(project, { selection: selectionOf(flags), shard: flags.shard });
  if (!planned.ok) throw new InputError(planned.error);
  const { plan, tasks, configurations } = planned.value;
  if (flags.power) {
    const power = await planPower(environment, plan, flags);
    say(environment.stdout, flags.json ? canonicalJson(power) : renderPower(power));
    return EXIT.ok;
  }
  const engine = await engineOrNone(environment);
  const images = await lookAtImages({ project, tasks, configurations, engine });
  if (flags.json) say(environment.stdout, canonicalJson({ ...plan, images }));
  else {
    environment.stderr.stream.write(warnings(environment, project.problems));
    say(environment.stdout, renderPlan({ plan, images }));
  }
  return images.some(({ problem }) => problem !== undefined) ? EXIT.input : EXIT.ok;
}

async function engineOrNone(environment: Environment): Promise<Engine | undefined> {
  return reachEngine(environment).then(
    ({ engine }) => engine,
    () => undefined,
  );
}
