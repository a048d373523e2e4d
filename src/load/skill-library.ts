import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { DigestOf } from './file-contents.ts';
import { bundleNames, type LoadedSkill, loadSkill } from './skills.ts';

/** The Skills that tasks share, each read once however many tasks name it. */
export class SkillLibrary {
  readonly dir: string;
  readonly #loaded = new Map<string, Promise<LoadedSkill>>();
  #names: Promise<readonly string[]> | undefined;

  constructor(dir: string) {
    this.dir = dir;
  }

  /** Names of the bundles in it. */
  names(): Promise<readonly string[]> {
    this.#names ??= bundleNames(this.dir);
    return this.#names;
  }

  /** Undefined when the library has nothing of that exact name (a file system that ignores case must not decide). */
  async load(name: string, digestOf?: DigestOf): Promise<LoadedSkill | undefined> {
    const present = await readdir(this.dir).catch((): string[] => []);
    if (!present.includes(name)) return undefined;
    const known = this.#loaded.get(name);
    if (known !== undefined) return known;
    const loading = loadSkill(join(this.dir, name), digestOf);
    this.#loaded.set(name, loading);
    return loading;
  }
}
