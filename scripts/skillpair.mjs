#!/usr/bin/env node
// The command `skillpair` for any Node: hands over to the pinned one, which runs the TypeScript sources as they are.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { becomePinnedNode, PINNED_NODE, ROOT } from './pinned-node.mjs';

if (existsSync(PINNED_NODE)) {
  // Compiled code is kept between starts; a user's own choice of folder stands.
  process.env.NODE_COMPILE_CACHE ??= join(ROOT, 'node_modules/.cache/skillpair');
  becomePinnedNode([join(ROOT, 'src/cli.ts'), ...process.argv.slice(2)]);
} else {
  console.error(`error: the dependencies of ${ROOT} are not installed`);
  console.error(`fix: npm --prefix '${ROOT}' run setup`);
  process.exitCode = 3;
}
