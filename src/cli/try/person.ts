import { posix } from 'node:path';
import type { ConditionName } from '../../model/ids.ts';
import type { Task } from '../../model/task.ts';
import { INSTRUCTION_PATH } from '../../run/container-specs.ts';
import type { Person, TryScene } from '../../run/try-task.ts';
import { type Environment, say } from '../environment.ts';

/** Whoever sits in front of this program, in the agent's place of a trial. Keys are the container's from start to end of the shell. */
export function personAt(
  environment: Environment,
  from: { readonly task: Task; readonly condition: ConditionName; readonly shell: string | undefined },
): Person {
  const { stdin, stdout, stderr } = environment;
  const { terminal } = stdin;
  const isTerminal = terminal !== undefined;
  return {
    stdin: isTerminal ? 'terminal' : 'pipe',
    shell: ({ index }) => {
      if (from.shell !== undefined) return ['/bin/sh', '-c', from.shell];
      return index.resolve('/bin/bash') === undefined ? ['/bin/sh'] : ['/bin/bash'];
    },
    sitDown: (scene) => {
      say(stderr, sceneText(scene, { ...from, isTerminal }));
      terminal?.setRaw(true);
      return { [Symbol.dispose]: () => terminal?.setRaw(false) };
    },
    ended: ({ exitCode, signal }) => {
      say(
        stderr,
        `the shell ended ${signal === undefined ? `with ${exitCode}` : `by ${signal}`}; verifying ...`,
      );
    },
    terminal: {
      input: stdin.stream,
      stdout: stdout.stream,
      stderr: stderr.stream,
      ...(isTerminal ? { size: terminal.size, onResize: terminal.onResize } : {}),
    },
  };
}

function sceneText(
  { image, limits, skillFiles }: TryScene,
  { task, condition, isTerminal }: { task: Task; condition: ConditionName; isTerminal: boolean },
): string {
  const { network, allowHosts } = task.environment;
  const skills = skillFiles.map((path) => posix.dirname(path));
  const hosts = network === 'allowlist' ? ` (${allowHosts.join(', ')})` : '';
  return [
    `${task.id}, ${condition}: in ${image.info.workingDir} as ${task.agent.user ?? (image.info.user || 'root')}`,
    `  limits: ${limits.cpus.granted} CPU, ${Math.round(limits.memoryBytes.granted / 2 ** 20)} MiB; network: ${network}${hosts}`,
    `  instruction: ${INSTRUCTION_PATH}`,
    `  Skills: ${skills.length === 0 ? 'none' : skills.join(', ')}`,
    ...(isTerminal ? ['Leave the shell (exit, or Ctrl-D) to have what you did verified.'] : []),
  ].join('\n');
}
