import { execa } from 'execa';
import { GATES, type Gate } from './gates.ts';
import { runMain, SetupFailure } from './setup-failure.ts';
import { ROOT } from './state-file.ts';

interface GateResult {
  readonly gate: Gate;
  readonly passed: boolean;
  readonly output: string;
  readonly durationMs: number;
}

/** Runs gates at once and prints a line for each as it ends, then the output of those that failed. */
async function check(gates: readonly Gate[]): Promise<number> {
  const results = await Promise.all(gates.map(runGate));
  const failed = results.filter((result) => !result.passed);
  for (const { gate, output } of failed) {
    console.log(`\n--- ${gate.name} (${gate.guards}) ---\n${output.trimEnd()}`);
  }
  const names = failed.map(({ gate }) => gate.name).join(', ');
  console.log(failed.length === 0 ? `\nall ${results.length} gates hold` : `\nfailed: ${names}`);
  return failed.length === 0 ? 0 : 1;
}

async function runGate(gate: Gate): Promise<GateResult> {
  const started = performance.now();
  const { exitCode, all } = await execa(process.execPath, gate.command, {
    cwd: ROOT,
    all: true,
    reject: false,
    stdin: 'ignore',
    env: { NO_COLOR: '1', FORCE_COLOR: undefined },
  });
  const result = { gate, passed: exitCode === 0, output: all, durationMs: performance.now() - started };
  const seconds = (result.durationMs / 1000).toFixed(1).padStart(5);
  console.log(`${result.passed ? 'ok  ' : 'FAIL'} ${gate.name.padEnd(11)} ${seconds} s  ${gate.guards}`);
  return result;
}

function chosen(names: readonly string[]): readonly Gate[] {
  const known = GATES.map((gate) => gate.name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new SetupFailure(`there is no gate "${unknown}"`, { repair: `choose from: ${known.join(', ')}` });
  }
  return names.length === 0 ? GATES : GATES.filter((gate) => names.includes(gate.name));
}

await runMain(() => check(chosen(process.argv.slice(2))));
