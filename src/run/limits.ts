import type { EngineInfo } from '../engine/engine.ts';
import type { Limits } from '../model/attempt.ts';
import type { Task } from '../model/task.ts';

/** What a container may write where its task does not say, in bytes: as much as Harbor's tasks have by default. */
const DEFAULT_STORAGE_BYTES = 10 * 2 ** 30;

/** {@link Limits} of an attempt that is under way: records of before storage was held to lack that one. */
export type GrantedLimits = Limits & { readonly storageBytes: NonNullable<Limits['storageBytes']> };

/** The limits both containers of a trial run under: what the task wishes, clamped to what the engine's host has. */
export function grantLimits(task: Task, host: Pick<EngineInfo, 'cpus' | 'memoryBytes'>): GrantedLimits {
  const { cpus, memoryBytes, pids, storageBytes = DEFAULT_STORAGE_BYTES } = task.environment;
  return {
    cpus: { wished: cpus, granted: Math.min(cpus, host.cpus) },
    memoryBytes: { wished: memoryBytes, granted: Math.min(memoryBytes, host.memoryBytes) },
    pids: { wished: pids, granted: pids },
    storageBytes: { wished: storageBytes, granted: storageBytes },
    agentTimeoutMs: task.agent.timeoutMs,
    verifierTimeoutMs: task.verifier.timeoutMs,
  };
}
