import type { Engine } from '../src/engine/engine.ts';
import type { MachineSettings } from './machine-settings.ts';
import { buildRootFileSystem, STAND_IN } from './root-file-system-image.ts';
import { SetupFailure } from './setup-failure.ts';
import type { Suite } from './stand-in-names.ts';

/** The image that Dockerfile.base starts from. */
export const BASE = 'debian:12-slim';

/** Without a registry the engine usually says so at once; one that hangs is given this long. */
const PULL_TIMEOUT_MS = 30_000;

/** What the set-up of the base image works with; fakes in tests. */
export interface BaseImageTools {
  readonly engine: Engine;
  readonly settings: MachineSettings;
  /** Writes Debian's root file system as a tar at this path. */
  readonly makeRootFileSystem: (tarPath: string, suite: Suite) => Promise<void>;
  /** Says one line to the user. */
  readonly say: (line: string) => void;
}

/**
 * Makes sure that builds find the base image: the real one (here already, or pulled), else a stand-in made from Debian
 * packages, which the machine's settings then name. Resolves to the name of the image. Rejects with {@link SetupFailure}.
 */
export async function ensureBaseImage(tools: BaseImageTools): Promise<string> {
  const named = await tools.settings.substituteFor(BASE);
  if (named !== undefined) return await checkSubstitute(tools, named);
  if (await hasImage(tools.engine, BASE)) return BASE;
  const refusal = await pullRefusal(tools.engine);
  if (refusal === undefined) return BASE;
  if (!(await tools.settings.isWritable())) {
    throw new SetupFailure(
      `${BASE} cannot be pulled (${refusal}) and ${tools.settings.path} names no substitute`,
      {
        repair: `add to ${tools.settings.path} under "substitute" the line "${BASE}: ${STAND_IN}", and run this again`,
      },
    );
  }
  if (!(await hasImage(tools.engine, STAND_IN))) {
    tools.say(
      `setup: ${BASE} cannot be pulled; making ${STAND_IN} from Debian packages (about half a minute) ...`,
    );
    await buildRootFileSystem(tools);
  }
  await tools.settings.write({ substitute: { [BASE]: STAND_IN } });
  tools.say(
    `setup: builds here start from ${STAND_IN} wherever ${BASE} is named, which cannot be pulled (${tools.settings.path} says so)`,
  );
  return STAND_IN;
}

/** Ours may have been removed since; anybody else's is theirs to bring back. */
async function checkSubstitute(tools: BaseImageTools, name: string): Promise<string> {
  if (await hasImage(tools.engine, name)) return name;
  if (name !== STAND_IN) {
    throw new SetupFailure(
      `${tools.settings.path} substitutes ${name} for ${BASE}, and the engine has no such image`,
      {
        repair: `load ${name} into the engine, or remove the line from ${tools.settings.path}`,
      },
    );
  }
  tools.say(`setup: ${STAND_IN} is gone; making it again from Debian packages (about half a minute) ...`);
  await buildRootFileSystem(tools);
  return name;
}

async function hasImage(engine: Engine, name: string): Promise<boolean> {
  return (await engine.image(name, AbortSignal.timeout(PULL_TIMEOUT_MS))) !== undefined;
}

/** Why the base cannot be pulled; undefined when it was. */
async function pullRefusal(engine: Engine): Promise<string | undefined> {
  try {
    await engine.pull(BASE, undefined, AbortSignal.timeout(PULL_TIMEOUT_MS));
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
