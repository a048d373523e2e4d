import { posix } from 'node:path';
import type { ImageInfo } from '../engine/engine.ts';
import type { Discovery } from '../model/harness.ts';
import type { BundleEntry, Skill } from '../model/skill.ts';
import type { Variables } from './agent-environment.ts';
import { discoveryFolders, homesOf } from './discovery-folders.ts';
import type { ImageIndex, IndexEntry } from './image-tree.ts';
import { literal } from './regexp-literal.ts';
import type { SkillTarget } from './skill-copies.ts';

/** Something of a Skill in an image that should hold none. Only a `violation` makes the image unusable. */
export interface LeakFinding {
  readonly severity: 'violation' | 'warning' | 'note';
  readonly code:
    | 'skill-discoverable'
    | 'skill-content'
    | 'skill-named'
    | 'skill-elsewhere'
    | 'common-content';
  /** Container path, where it is one. */
  readonly path?: string;
  readonly detail: string;
}

/** An image, and the Skills that must not be in it. */
export interface AuditInput {
  readonly index: ImageIndex;
  readonly config: Pick<ImageInfo, 'env' | 'entrypoint' | 'command' | 'workingDir'>;
  readonly bundles: readonly Skill[];
  readonly looseFiles: readonly BundleEntry[];
  /** Of all known harnesses, not only of those that take part. */
  readonly discovery: Discovery;
  /** Whole environments of the agents that may be started in it. */
  readonly environments: readonly Variables[];
  /** Digests that the task's own context has outside its Skills: these files are there on purpose. */
  readonly outsideDigests: ReadonlySet<string>;
  readonly skillTargets: readonly SkillTarget[];
}

/** So short that equal bytes mean nothing. */
const TRIVIAL_BYTES = 16;
const COMMON_NAME = /^(licen[cs]e|copying|notice|authors|unlicense)\b/i;

/**
 * Looks for Skills in an image: a SKILL.md where any harness would find it, under any home; a bundle's file anywhere,
 * by content; a bundle's name in environment and start-up commands. Pure.
 */
export function auditImage(input: AuditInput): readonly LeakFinding[] {
  const discoverable = findDiscoverable(input);
  const seen = new Set(discoverable.map(({ real }) => real));
  return [
    ...discoverable.map(
      ({ path }): LeakFinding => ({
        severity: 'violation',
        code: 'skill-discoverable',
        path,
        detail: 'a harness would find this Skill',
      }),
    ),
    ...findContent(input, seen),
    ...findNames(input),
  ];
}

interface Found {
  /** As a harness comes to it. */
  readonly path: string;
  readonly real: string;
}

function findDiscoverable({ index, discovery, config, environments }: AuditInput): Found[] {
  const found = new Map<string, Found>();
  const visited = new Set<string>();
  const { workingDir } = config;
  const pending = discoveryFolders({ discovery, homes: homesOf(index), workingDir, environments });
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    const real = index.resolve(folder);
    if (real === undefined || visited.has(real)) continue;
    visited.add(real);
    const below = childrenOf(index, folder);
    pending.push(...below.filter(({ kind }) => kind === 'folder').map(({ path }) => path));
    for (const { path, real: file, kind } of below)
      if (kind !== 'folder' && isSkillFile(path)) found.set(file, { path, real: file });
  }
  return [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

function childrenOf(index: ImageIndex, folder: string): (Found & { readonly kind: IndexEntry['kind'] })[] {
  return index.list(folder).flatMap((name) => {
    const path = posix.join(folder, name);
    const real = index.resolve(path);
    const kind = real === undefined ? undefined : index.entries.get(real)?.kind;
    return real === undefined || kind === undefined ? [] : [{ path, real, kind }];
  });
}

function isSkillFile(path: string): boolean {
  return posix.basename(path).toLowerCase() === 'skill.md';
}

function findContent(input: AuditInput, seen: ReadonlySet<string>): LeakFinding[] {
  const origins = bundleFiles(input);
  const findings: LeakFinding[] = [];
  for (const [path, entry] of input.index.entries) {
    if (entry.kind !== 'file' || seen.has(path)) continue;
    const origin = entry.digest === undefined ? undefined : origins.get(entry.digest);
    if (origin !== undefined) findings.push(contentFinding(path, entry, origin));
    else if (isSkillFile(path))
      findings.push({
        severity: 'note',
        code: 'skill-elsewhere',
        path,
        detail: 'a SKILL.md outside all folders that harnesses look in, not one of this task',
      });
  }
  return findings;
}

function contentFinding(path: string, entry: IndexEntry, origin: string): LeakFinding {
  const isSkill = isSkillFile(origin);
  const isCommon = entry.size <= TRIVIAL_BYTES || COMMON_NAME.test(posix.basename(origin));
  if (isCommon && !isSkill)
    return {
      severity: 'note',
      code: 'common-content',
      path,
      detail: `the same bytes as ${origin}, a text that many packages carry`,
    };
  return { severity: 'violation', code: 'skill-content', path, detail: `the same bytes as ${origin}` };
}

/** Content digest -> the bundle's file, without empty files and what the context has on purpose. */
function bundleFiles({ bundles, looseFiles, outsideDigests }: AuditInput): ReadonlyMap<string, string> {
  const files = [
    ...bundles.flatMap((skill) =>
      skill.entries.map((entry) => ({ entry, name: `${skill.name}/${entry.path}` })),
    ),
    ...looseFiles.map((entry) => ({ entry, name: entry.path })),
  ];
  return new Map(
    files.flatMap(({ entry: { digest, size }, name }) =>
      digest === undefined || size === 0 || outsideDigests.has(digest) ? [] : [[digest, name] as const],
    ),
  );
}

function findNames({ config, bundles, skillTargets }: AuditInput): LeakFinding[] {
  const texts = [
    ...config.env.map((text) => ({ what: `ENV ${text.split('=', 1)[0] ?? ''}`, text })),
    { what: 'ENTRYPOINT', text: config.entrypoint.join(' ') },
    { what: 'CMD', text: config.command.join(' ') },
  ];
  const names = bundles.map(({ name }) => new RegExp(`skills?/+${literal(name)}(?![\\w-])`, 'i'));
  const targets = skillTargets
    .filter(({ containerPath }) => containerPath !== '/')
    .map(({ containerPath }) => new RegExp(`${literal(containerPath)}(?![\\w.-])`));
  return texts
    .filter(({ text }) => [...names, ...targets].some((pattern) => pattern.test(text)))
    .map(({ what, text }) => ({
      severity: 'warning',
      code: 'skill-named',
      detail: `${what} names where Skills would be: ${text.slice(0, 300)}`,
    }));
}
