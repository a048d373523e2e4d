import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

const WAIT_MS = 250;

/**
 * Runs the work while this process alone holds the lock file; waits while another living process does.
 * (`src/base/lock-file.ts` is for programs; this one runs on the host's Node before there is any dependency.)
 */
export async function withSetupLock(path, work) {
  await take(path);
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}

async function take(path) {
  const own = `${path}.${process.pid}`;
  writeFileSync(own, String(process.pid));
  try {
    for (let told = false; ; ) {
      // A link appears with its content or not at all, so nobody can read a lock that has no owner yet.
      if (attempt(() => linkSync(own, path), 'EEXIST')) return;
      const holder = readHolder(path);
      if (holder === undefined) continue;
      if (isDead(holder)) {
        attempt(() => renameSync(path, `${own}.dead`), 'ENOENT');
        rmSync(`${own}.dead`, { force: true });
        continue;
      }
      if (!told) console.error(`setup: waiting for process ${holder}, which is setting up too ...`);
      told = true;
      await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
    }
  } finally {
    rmSync(own, { force: true });
  }
}

function attempt(action, expected) {
  try {
    action();
    return true;
  } catch (error) {
    if (error.code !== expected) throw error;
    return false;
  }
}

function readHolder(path) {
  try {
    return Number.parseInt(readFileSync(path, 'utf8'), 10);
  } catch {
    return undefined;
  }
}

function isDead(pid) {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}
