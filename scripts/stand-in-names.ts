/** A release of Debian that a root file system is made of. */
export type Suite = 'bullseye' | 'bookworm' | 'trixie';

/** A local image that can take the place of published ones. */
export interface StandIn {
  readonly kind: 'system' | 'python';
  readonly suite: Suite;
  /** Slow packages are in it already. */
  readonly fat: boolean;
}

/** Names that most tasks start from: what is made a stand-in for where no task is named. */
export const COMMON_NAMES: readonly string[] = [
  ...['ubuntu:20.04', 'ubuntu:22.04', 'ubuntu:24.04'],
  ...['11', '12', '13'].flatMap((version) => [`debian:${version}`, `debian:${version}-slim`]),
  ...['3.9', '3.10', '3.11', '3.12', '3.13'].flatMap((version) => [
    `python:${version}`,
    `python:${version}-slim`,
  ]),
];

/** Each release's own Python; the one of a Python stand-in. */
const PYTHON: Readonly<Record<Suite, string>> = { bullseye: '3.9', bookworm: '3.11', trixie: '3.13' };

/** Which release takes the place of a published image: by the start of its tag, the first that fits. */
const PLACES: Readonly<Record<string, readonly (readonly [RegExp, Suite])[]>> = {
  ubuntu: [
    [/^(20\.04|focal)\b/, 'bullseye'],
    [/^(22\.04|jammy|24\.04|noble|latest)\b/, 'bookworm'],
  ],
  debian: [
    [/^(11|bullseye)\b/, 'bullseye'],
    [/^(12|bookworm)\b/, 'bookworm'],
    [/^(13|trixie|stable|latest)\b/, 'trixie'],
  ],
  // Debian has no 3.10 and 3.12: 3.11 is the nearest for which pinned packages of both have wheels.
  python: [
    [/^3\.9\b/, 'bullseye'],
    [/^3\.(10|11|12)\b/, 'bookworm'],
    [/^3\.13\b/, 'trixie'],
  ],
};

/** The stand-in for a name in a FROM line; undefined where none is near enough (another distribution, another registry). */
export function standInFor(name: string, fat: boolean): StandIn | undefined {
  const short = name.replace(/^(index\.)?docker\.io\//, '').replace(/^library\//, '');
  const [, repository = '', tag = 'latest'] = /^([a-z]+)(?::([\w.-]+))?$/.exec(short) ?? [];
  if (/alpine|windows/.test(tag)) return undefined;
  const places = Object.hasOwn(PLACES, repository) ? PLACES[repository] : undefined;
  const suite = places?.find(([tags]) => tags.test(tag))?.[1];
  if (suite === undefined) return undefined;
  return { kind: repository === 'python' ? 'python' : 'system', suite, fat };
}

/** The stand-in's own name: the release, or the version of its Python. */
export function standInTag({ kind, suite, fat }: StandIn): string {
  const what = kind === 'python' ? `python-${PYTHON[suite]}` : suite;
  return `skillpair/stand-in:${what}${fat ? '-fat' : ''}`;
}
