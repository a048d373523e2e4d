import { join } from 'node:path';
import { digestValue, shortDigest } from '../../base/digest.ts';
import type { TaskImage } from '../../image/image-store.ts';
import { waitForLock } from '../../image/wait-for-lock.ts';
import type { Task } from '../../model/task.ts';
import {
  type Found,
  findPackages,
  type KeptPackages,
  type PackagePlace,
  packagesDir,
} from './package-file.ts';
import { verifierVariables } from './package-folders.ts';
import { makeRoom, usePackages } from './package-room.ts';

/** Of all that is kept on a machine, what living runs need not counted off. */
const MAX_BYTES = 10 * 2 ** 30;

/** Packages that verifiers of this machine have downloaded without an agent, each kept once for all verifications of its task. */
export interface PackageStore {
  /**
   * Begins to look for the packages of a task's verifier, and makes them where the run will need them often enough. Every trial of a task
   * gets the same answer for as long as the store lives. Disposing waits for what this call began.
   */
  begin(need: PackageNeed): PackageLease;
}

/** A verifier whose packages are asked for, and how they are made. */
export interface PackageNeed {
  readonly task: Task;
  readonly image: TaskImage;
  readonly stop: AbortSignal;
  /** Called with the lock of that place. */
  readonly make: (place: PackagePlace) => Promise<KeptPackages>;
}

/** A trial's hold on the packages of its verifier. */
export interface PackageLease extends AsyncDisposable {
  /** Never rejects. Undefined: the verifier downloads what it needs. */
  readonly packages: Promise<KeptPackages | undefined>;
}

/** What a store is made with. */
export interface PackageStoreTools {
  /** Shared by all runs of this machine. */
  readonly cacheDir: string;
  /** How many verifications of a task are to come; packages are made for none with fewer than two. */
  readonly verifications: (task: Task) => number;
  readonly say: (message: string) => void;
  /** Most bytes that stay kept beside what living runs need. Default: 10 GiB. */
  readonly maxBytes?: number;
}

/** The {@link PackageStore} of a run. */
export function makePackageStore(tools: PackageStoreTools): PackageStore {
  const begun = new Map<string, Promise<KeptPackages | undefined>>();
  return {
    begin: (need) => {
      const { task, image, stop } = need;
      const { kind, network } = task.verifier;
      if (kind !== 'script' || network === 'none') return lease(Promise.resolve(undefined));
      const key = keyOf(task, image);
      const known = begun.get(key);
      if (known !== undefined) return lease(known);
      const packages = findOrMake(tools, key, need).catch((error: unknown) => {
        if (!stop.aborted) tools.say(`${noPackages(task)}: ${messageOf(error)}`);
        return undefined;
      });
      begun.set(key, packages);
      return lease(packages, async () => void (await packages));
    },
  };
}

function lease(packages: PackageLease['packages'], dispose = async () => {}): PackageLease {
  return { packages, [Symbol.asyncDispose]: dispose };
}

/** All that can decide what a verifier downloads, but for the world outside. */
function keyOf(task: Task, image: TaskImage): string {
  const { digest, verifier } = task;
  const variables = verifierVariables(image, task);
  return digestValue({ version: 1, image: image.id, task: digest, network: verifier.network, variables });
}

async function findOrMake(
  tools: PackageStoreTools,
  key: string,
  { task, stop, make }: PackageNeed,
): Promise<KeptPackages | undefined> {
  const dir = packagesDir(tools.cacheDir);
  const isWanted = tools.verifications(task) > 1;
  await withFolder(tools, stop, () => usePackages({ dir, key }));
  const found = await findPackages({ dir, key });
  if (isKept(found)) return usable(found);
  if (!isWanted) {
    if (found !== 'absent') tools.say(`${noPackages(task)}: ${damage(found)}`);
    return undefined;
  }
  const lock = join(tools.cacheDir, 'locks', `packages-${shortDigest(key)}.lock`);
  await using _lock = await waitForLock(lock, stop);
  const again = await findPackages({ dir, key });
  if (isKept(again)) return usable(again);
  if (again !== 'absent') tools.say(`packages of task ${task.id} are made anew: ${damage(again)}`);
  const made = usable(await make({ dir, key }));
  await withFolder(tools, stop, () => makeRoom(dir, tools.maxBytes ?? MAX_BYTES));
  return made;
}

/** Nobody takes what another has just said that it needs. */
async function withFolder({ cacheDir }: PackageStoreTools, stop: AbortSignal, work: () => Promise<unknown>) {
  await using _lock = await waitForLock(join(cacheDir, 'locks', 'packages.lock'), stop);
  await work();
}

function isKept(found: Found): found is KeptPackages {
  return found !== 'absent' && !('damaged' in found);
}

function usable(kept: KeptPackages): KeptPackages | undefined {
  return kept.files === 0 ? undefined : kept;
}

function damage({ damaged }: { readonly damaged: string }): string {
  return `${damaged} is not what was written`;
}

function noPackages({ id }: Task): string {
  return `the verifier of task ${id} downloads its packages in every trial`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
