#!/bin/sh
':' /* For sh, up to the end of this comment: become the pinned Node, without a process in between and without the 70 ms
# that the host's Node takes to start. For JavaScript (node scripts/skillpair.mjs) the rest of the file does the same.
self=$0
while [ -h "$self" ]; do
  link=$(readlink "$self")
  case $link in
    /[!/]*) self=$link ;;
    *) self=$(dirname "$self")/$link ;;
  esac
done
root=$(cd "$(dirname "$self")/.." && pwd -P)
node=$root/node_modules/node/bin/node
if [ ! -x "$node" ]; then
  echo "error: the dependencies of $root are not installed" >&2
  echo "fix: npm --prefix '$root' run setup" >&2
  exit 3
fi
export NODE_COMPILE_CACHE="${NODE_COMPILE_CACHE-$root/node_modules/.cache/skillpair}"
# Its memory holds the keys of providers, and is not to be left in a core file where it ends in a crash.
ulimit -S -c 0
# A small young generation: a report of 100,000 trials then takes a quarter less memory (docs/performance.md).
exec "$node" --max-semi-space-size=8 "$root/src/cli.ts" "$@"
*/;
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { becomePinnedNode, PINNED_NODE, ROOT } from './pinned-node.mjs';

if (existsSync(PINNED_NODE)) {
  // Compiled code is kept between starts; a user's own choice of folder stands.
  process.env.NODE_COMPILE_CACHE ??= join(ROOT, 'node_modules/.cache/skillpair');
  becomePinnedNode(['--max-semi-space-size=8', join(ROOT, 'src/cli.ts'), ...process.argv.slice(2)]);
} else {
  console.error(`error: the dependencies of ${ROOT} are not installed`);
  console.error(`fix: npm --prefix '${ROOT}' run setup`);
  process.exitCode = 3;
}
