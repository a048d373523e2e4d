import { join } from 'node:path';
import { EngineError } from '../../engine/engine.ts';
import { answersInImage } from '../../image/answers-in-image.ts';
import type { ImageStore, TaskImage } from '../../image/image-store.ts';
import { readTaskContent } from '../../load/task-content.ts';
import { Fault } from '../../model/fault.ts';
import type { Finding } from '../../model/finding.ts';
import type { Task } from '../../model/task.ts';
import { formatDuration, formatMany } from '../../report/format.ts';

/** Rules of the level `build`, in the order of docs/task-rules.md. */
export const BUILD_RULES = ['image-build', 'skill-in-image', 'answer-in-image', 'image-facts'] as const;

/** What a build showed. */
export interface BuildChecked {
  readonly findings: readonly Finding[];
  /** Nothing can be run of a task without. */
  readonly isBuilt: boolean;
}

/** Builds a task's image, or finds the one that was built of the same bytes, audits it and says what it came to. */
export async function buildFindings(
  images: ImageStore,
  task: Task,
  signal: AbortSignal,
): Promise<BuildChecked> {
  const subject = task.id;
  const where = { file: join(task.environment.contextDir, task.environment.dockerfile) };
  const from = performance.now();
  try {
    const image = await images.taskImage(task, signal);
    if (task.verifier.kind === 'pytest') await images.verifierVolume(signal);
    const took = performance.now() - from;
    const answers = await answerFindings(task, image);
    const facts: Finding = {
      severity: 'note',
      message: factsOf(image, took),
      rule: 'image-facts',
      subject,
      where,
    };
    return { findings: [...answers, ...auditFindings(image, { subject, where }), facts], isBuilt: true };
  } catch (error) {
    if (error instanceof Fault) {
      const rule = error.reason === 'condition-violated' ? 'skill-in-image' : 'image-build';
      const finding: Finding = { severity: 'error', message: error.message, rule, subject, where };
      return { findings: [finding], isBuilt: false };
    }
    if (!(error instanceof EngineError) || error.kind !== 'no-space') throw error;
    const finding: Finding = {
      severity: 'error',
      message: error.message,
      rule: 'image-build',
      subject,
      where,
    };
    return { findings: [finding], isBuilt: false };
  }
}

/** In units of 1000, as the engine's own client shows them. */
function factsOf({ info, way, reason }: TaskImage, tookMs: number): string {
  const size = `${Math.round(info.sizeBytes / 1e6)} MB in ${formatMany(info.layers, 'layer')}`;
  const built = way === 'deleted' ? `; built with the Skills, which the last layer deletes: ${reason}` : '';
  return `the image has ${size}, there and audited after ${formatDuration(tookMs)}${built}`;
}

function auditFindings({ findings }: TaskImage, at: Pick<Finding, 'subject' | 'where'>): Finding[] {
  return findings
    .filter(({ severity }) => severity !== 'violation')
    .map(({ severity, path, detail }) => ({
      ...at,
      rule: 'skill-in-image',
      severity: severity === 'warning' ? 'warning' : 'note',
      message: path === undefined ? detail : `${path} in the image: ${detail}`,
    }));
}

/** What the build context has on purpose is told by the lint, at its place. */
async function answerFindings(task: Task, image: TaskImage): Promise<Finding[]> {
  const { id: subject, dir, instruction } = task;
  const { tests, solution, almostRight } = await readTaskContent({ subject, dir, instruction, skills: [] });
  const hits = answersInImage(image.index, [...tests, ...solution, ...almostRight], image.contextDigests);
  return hits.map(({ containerPath, path }) => ({
    severity: 'error',
    message: `${containerPath} in the image is the same file as ${path}: every agent can read it`,
    rule: 'answer-in-image',
    subject,
    where: { file: join(dir, path) },
    repair: 'keep tests and solution out of what the Dockerfile puts there',
  }));
}
