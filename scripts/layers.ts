import { execa } from 'execa';
import { layerFaults } from './layer-faults.ts';
import { ROOT } from './state-file.ts';

// A cruise that finds nothing to look at succeeds too (seen with a compiler it does not know), hence the smallest number.
const MIN_MODULES = 50;

const { stdout, stderr, exitCode } = await execa(
  process.execPath,
  ['node_modules/dependency-cruiser/bin/dependency-cruiser.mjs', 'src', '--output-type', 'json'],
  { cwd: ROOT, reject: false, stdin: 'ignore' },
);
const faults = stdout.startsWith('{')
  ? layerFaults(JSON.parse(stdout), MIN_MODULES)
  : [stderr, `exit code ${exitCode}`];
for (const fault of faults) console.log(fault);
process.exitCode = faults.length === 0 ? 0 : 1;
