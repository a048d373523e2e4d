import { spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { delimiter, dirname, join, relative } from 'node:path';
import { PINNED_NODE, ROOT } from './pinned-node.mjs';
import { withSetupLock } from './setup-lock.mjs';

/** A set-up that cannot go on; the message says why and what to do. */
export class SetupError extends Error {}

const MODULES = join(ROOT, 'node_modules');
/** npx looks here first, and takes a second more where it has to look further for a project's own command. */
const COMMAND = join(MODULES, '.bin/skillpair');
const STATE = join(ROOT, '.skillpair');

/**
 * Makes node_modules hold exactly what package-lock.json names, and the pinned Node start. Quick when it does.
 * Safe when several commands do it at once. A node_modules that is a link belongs to somebody else and is only checked.
 */
export async function ensureDependencies() {
  if (Number.parseInt(process.versions.node, 10) < 20) {
    throw new SetupError(`Node ${process.versions.node} is too old. Repair: install Node 20 or newer.`);
  }
  const isLink = lstatSync(MODULES, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  if (isInstalled()) {
    if (!isLink && !existsSync(COMMAND)) linkCommand();
    return;
  }
  if (isLink) {
    throw new SetupError(
      `${MODULES} is a link and does not match package-lock.json. Repair: run npm ci where it points.`,
    );
  }
  mkdirSync(STATE, { recursive: true });
  await withSetupLock(join(STATE, 'setup.lock'), () => {
    if (!isInstalled()) install();
    linkCommand();
  });
}

function isInstalled() {
  const installed = readPackages(join(MODULES, '.package-lock.json'));
  if (installed === undefined || !matchesLock(lockedPackages(), installed)) return false;
  return existsSync(PINNED_NODE);
}

/**
 * True when each package of the lock is installed at its version and nothing else is. npm writes the list of installed
 * packages last of all, so one that was interrupted never matches. Optional ones are for other platforms.
 */
export function matchesLock(locked, installed) {
  const paths = new Set([...Object.keys(locked), ...Object.keys(installed)]);
  paths.delete('');
  return [...paths].every((path) => {
    const wanted = locked[path];
    const found = installed[path];
    if (found === undefined) return wanted.optional === true;
    return wanted !== undefined && wanted.version === found.version && wanted.integrity === found.integrity;
  });
}

function install() {
  console.error('setup: installing the npm dependencies (npm ci, about two minutes) ...');
  const log = join(STATE, 'npm-ci.log');
  runLogged(log, 'npm', ['ci', '--include=dev', '--no-audit', '--no-fund']);
  // npm may have been told to run no install scripts; this one alone is needed, it brings the Node binary.
  if (!existsSync(PINNED_NODE)) {
    runLogged(log, process.execPath, ['installArchSpecificPackage.js'], join(MODULES, 'node'));
    link(join(MODULES, '.bin/node'), PINNED_NODE);
  }
  checkPinnedNode(log);
}

function linkCommand() {
  link(COMMAND, join(ROOT, 'scripts/skillpair.mjs'));
}

function link(path, target) {
  rmSync(path, { force: true });
  symlinkSync(relative(dirname(path), target), path);
}

function checkPinnedNode(log) {
  const wanted = `v${lockedPackages()['node_modules/node'].version}`;
  const { stdout, error } = spawnSync(PINNED_NODE, ['--version'], { encoding: 'utf8' });
  if (stdout?.trim() === wanted) return;
  throw new SetupError(
    `${PINNED_NODE} should be Node ${wanted} and ${error ? `does not start (${error.message})` : `says "${stdout?.trim()}"`}; ` +
      `npm's output is in ${log}. Repair: remove node_modules and run this again on a platform that Node ships for.`,
  );
}

function runLogged(log, command, args, cwd = ROOT) {
  const output = openSync(log, 'a');
  const { status, error } = spawnSync(command, args, {
    cwd,
    stdio: ['ignore', output, output],
    env: { ...process.env, PATH: pathWithoutModules() },
  });
  closeSync(output);
  if (status === 0) return;
  console.error(readFileSync(log, 'utf8').split('\n').slice(-30).join('\n'));
  const reason = error?.message ?? `exit code ${status}`;
  throw new SetupError(`${command} ${args[0]} failed (${reason}); its output is in ${log}.`);
}

/** npm itself must not run on the Node that it is about to replace. */
function pathWithoutModules() {
  const entries = (process.env.PATH ?? '').split(delimiter);
  return entries.filter((entry) => !entry.startsWith(MODULES)).join(delimiter);
}

function lockedPackages() {
  const packages = readPackages(join(ROOT, 'package-lock.json'));
  if (packages === undefined)
    throw new SetupError(`${ROOT} has no readable package-lock.json. Repair: git restore it.`);
  return packages;
}

function readPackages(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages;
  } catch {
    return undefined;
  }
}
