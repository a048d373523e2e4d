/** Flags that filter an experiment. */
export interface SelectionFlags {
  readonly task?: readonly string[];
  readonly domain?: readonly string[];
  readonly difficulty?: readonly string[];
  readonly tag?: readonly string[];
  readonly condition?: readonly string[];
  readonly harness?: readonly string[];
  readonly shard?: { readonly index: number; readonly count: number };
}

/** Flags that say how a run goes. */
export interface HowFlags {
  readonly concurrency?: number;
  readonly substitute?: Readonly<Record<string, string>>;
  readonly runs: string;
  readonly junitBaseline: 'failure' | 'pass-with-note';
  readonly quiet: boolean;
  readonly json: boolean;
}

/** Filters and shard in words; empty when the whole experiment is meant. */
export function partOf(flags: SelectionFlags): string[] {
  const filters = (['task', 'domain', 'difficulty', 'tag', 'condition', 'harness'] as const).flatMap((name) =>
    (flags[name] ?? []).map((glob) => `${name} ${glob}`),
  );
  return flags.shard === undefined
    ? filters
    : [...filters, `shard ${flags.shard.index}/${flags.shard.count}`];
}

/** The flags as plan/select understands them. */
export function selectionOf(flags: SelectionFlags) {
  return {
    tasks: flags.task,
    domains: flags.domain,
    difficulties: flags.difficulty,
    tags: flags.tag,
    conditions: flags.condition,
    harnesses: flags.harness,
  };
}
