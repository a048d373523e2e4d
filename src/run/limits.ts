import type { EngineInfo } from '../engine/engine.ts';
import type { Limits } from '../model/attempt.ts';
import type { Task } from '../model/task.ts';

/** The limits both containers of a trial run under: what the task wishes, clamped to what the engine's host has. */
export function grantLimits(task: Task, host: Pick<EngineInfo, 'cpus' | 'memoryBytes'>): Limits {
  const { cpus, memoryBytes, pids } = task.environment;
  return {
    cpus: { wished: cpus, granted: Math.min(cpus, host.cpus) },
    memoryBytes: { wished: memoryBytes, granted: Math.min(memoryBytes, host.memoryBytes) },
    pids: { wished: pids, granted: pids },
    agentTimeoutMs: task.agent.timeoutMs,
    verifierTimeoutMs: task.verifier.timeoutMs,
  };
}
