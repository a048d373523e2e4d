import { claudeUsage } from './claude-code-end.ts';
import { claudeMachine } from './claude-code-machine.ts';
import { programReader } from './read-program.ts';

/**
 * Reads Claude Code's JSON lines (`--output-format stream-json --verbose`). A signal ends it without
 * a `result`.
 */
export const claudeCodeReader = programReader({
  harness: 'claude-code',
  title: 'Claude Code',
  skillTool: { tool: 'Skill', member: 'skill' },
  keepsFolder: true,
  start: (draft) => claudeMachine(draft, claudeUsage),
});
