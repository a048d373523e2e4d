#!/usr/bin/env node
// `node scripts/setup.mjs <script.ts> [arguments]`: installs the dependencies where they are missing or out of date,
// then runs the script with the pinned Node. Plain JavaScript without dependencies: it runs before there are any.
import { join } from 'node:path';
import { ensureDependencies, SetupError } from './dependencies.mjs';
import { becomePinnedNode, ROOT } from './pinned-node.mjs';

const [script, ...rest] = process.argv.slice(2);
try {
  await ensureDependencies();
  if (script !== undefined) becomePinnedNode([join(ROOT, script), ...rest]);
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  console.error(`error: ${error.message}`);
  process.exitCode = 3;
}
