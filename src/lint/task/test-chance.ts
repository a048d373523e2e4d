import { isBare, type PythonCall, pythonCalls, pythonSources, warnAt } from './python-calls.ts';
import type { TaskRule } from './task-rule.ts';

/** One source of chance: what draws from it, and what fixes it. */
interface Family {
  readonly draws: RegExp;
  readonly seeds: RegExp;
}

const FAMILIES: readonly Family[] = [
  { draws: /^random\.(?!seed$|Random$|SystemRandom$|getstate$|setstate$)[a-z]\w*$/, seeds: /^random\.seed$/ },
  {
    draws: /^numpy\.random\.(?!seed$|[gs]et_state$|default_rng$)[a-z]\w*$/,
    seeds: /^numpy\.random\.seed$/,
  },
  {
    draws: /^torch\.(?:rand|randn|randint|randperm|normal|bernoulli|multinomial)(?:_like)?$/,
    seeds: /^torch\.(?:random\.)?manual_seed$/,
  },
  // Nothing seeds these.
  { draws: /^(?:secrets\.(?:choice|randbelow|randbits)|random\.SystemRandom|os\.urandom)$/, seeds: /^(?!)/ },
];
/** Helpers by which frameworks seed all of them. */
const SEEDS_ALL = /(?:^|\.)(?:seed_everything|set_seed|seed_all)$/;
/** Generators that are seeded by what they are made with. */
const GENERATORS =
  /^(?:random\.Random|numpy\.random\.(?:default_rng|RandomState|Generator|PCG64|SeedSequence))$/;

const SAID = {
  why: 'draws by chance without a seed: the same workspace may get another verdict',
  repair: 'seed the generator, or write the values down',
};

/** The same workspace may pass once and fail once. */
export const testDependsOnChance: TaskRule = {
  name: 'test-depends-on-chance',
  check: ({ tests }) => {
    const sources = pythonSources(tests);
    // Fixtures that pytest runs for every test.
    const shared = sources.filter(({ file }) => file.path.endsWith('conftest.py')).flatMap(pythonCalls);
    return sources.flatMap((source) => {
      const calls = pythonCalls(source);
      const seeds = [...calls, ...shared].filter((call) => !isBare(call));
      const drawn = calls.find((call) => isDrawn(call, seeds));
      if (drawn === undefined) return [];
      const what = GENERATORS.test(drawn.name) ? 'a generator' : `${drawn.written}()`;
      return [warnAt(source, drawn.line, { what, ...SAID })];
    });
  },
};

function isDrawn(call: PythonCall, seeds: readonly PythonCall[]): boolean {
  if (GENERATORS.test(call.name)) return isBare(call);
  return FAMILIES.some(
    (family) =>
      family.draws.test(call.name) &&
      !seeds.some(({ name }) => family.seeds.test(name) || SEEDS_ALL.test(name)),
  );
}
