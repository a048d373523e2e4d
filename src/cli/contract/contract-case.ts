import type { z } from 'zod';
import type { Canary } from '../../harness/canary.ts';
import type { HarnessManifest } from '../../model/harness.ts';
import type { ConditionName } from '../../model/ids.ts';
import type { ModelScript } from '../../model/model-script.ts';

type Rule = z.input<typeof ModelScript>['rules'][number];

/** Where the answer to the task of every case is written. */
export const ANSWER_PATH = '/workspace/out/token.txt';
/** What an agent writes that was told of no token. */
export const NAIVE_COMMAND = `mkdir -p /workspace/out && echo unknown > ${ANSWER_PATH}`;

/** One thing that a harness is held to, tried by one trial. */
export interface ContractCase {
  readonly name: string;
  readonly condition: ConditionName;
  /** Needs a model that is scripted: nothing for harnesses without one. */
  readonly needsModel: boolean;
  /** The instruction has more bytes than an argument of a program may have. */
  readonly longInstruction?: boolean;
  /** As a task writes it; absent: long enough for all that a program tries before it gives up. */
  readonly agentTimeout?: string;
  /** As in an experiment's `models`; absent: its default, which is longer than any case. */
  readonly stalledAfterSeconds?: number;
  /** `void`: another model's answer leaves the trial unscored. */
  readonly servedModelDiffers?: 'void';
  /** What the scripted model does. */
  readonly rule: (harness: HarnessManifest, canary: Canary) => Rule;
  /**
   * What is told of the trial: how it ended, and with it how the agent did, which model answered, or of Skills their use by the detector
   * or all that was seen.
   */
  readonly tells: 'ending' | 'agent' | 'served' | 'detector' | 'nothing-used';
  /** Any of these is right. */
  readonly expected: (harness: HarnessManifest) => readonly string[];
}

/** The answer is shown once it is written: not every program's output holds what its own tool for Skills gave the model. */
const follow: ContractCase['rule'] = (_harness, { name }) => ({
  turns: [
    {
      ifListed: name,
      turns: [{ followSkill: name }, { shell: `cat ${ANSWER_PATH}` }],
      otherwise: [{ shell: NAIVE_COMMAND }],
    },
  ],
});

/** A program without a reader says nothing of Skills. */
const detected: ContractCase['expected'] = ({ trajectory }) => [
  trajectory === 'none' ? 'passed; cannot-tell' : 'passed; seen',
];

const OTHER_MODEL = { kind: 'served-model', model: 'another-model' } as const;

function fault(name: string, how: NonNullable<Rule['fault']>, expected: readonly string[]): ContractCase {
  return {
    name,
    condition: 'with-skills',
    needsModel: true,
    rule: (harness, canary) => ({ ...follow(harness, canary), fault: how }),
    tells: 'ending',
    expected: () => expected,
  };
}

/** All cases, in the order in which they are tried. A harness that recovers from a torn answer by asking again is right too. */
export const CONTRACT_CASES: readonly ContractCase[] = [
  {
    name: 'canary',
    condition: 'with-skills',
    needsModel: false,
    rule: follow,
    tells: 'detector',
    expected: detected,
  },
  {
    name: 'no-skills',
    condition: 'no-skills',
    needsModel: false,
    rule: follow,
    tells: 'nothing-used',
    expected: ({ trajectory, protocol }) => {
      if (trajectory === 'none') return ['failed; cannot-tell; listing not known'];
      const listing = protocol === undefined ? 'listing not known' : 'nothing listed';
      return [`failed; nothing used; ${listing}`];
    },
  },
  {
    name: 'shell-read',
    condition: 'with-skills',
    needsModel: true,
    rule: (harness, { name, token }) => ({
      turns: [
        { shell: `cat ${skillFolder(harness)}/${name}/SKILL.md` },
        { shell: `mkdir -p /workspace/out && echo ${token} > ${ANSWER_PATH}` },
      ],
    }),
    tells: 'detector',
    expected: detected,
  },
  {
    name: 'long-instruction',
    condition: 'with-skills',
    needsModel: true,
    longInstruction: true,
    rule: follow,
    tells: 'ending',
    expected: () => ['passed'],
  },
  fault('status-401', { kind: 'status', status: 401 }, ['provider-auth']),
  fault('status-429', { kind: 'status', status: 429 }, ['provider-limit']),
  fault('status-500', { kind: 'status', status: 500 }, ['provider-error']),
  fault('cut-stream', { kind: 'truncate' }, ['provider-error', 'harness-protocol', 'passed']),
  fault('empty-answer', { kind: 'empty' }, ['provider-error', 'harness-protocol']),
  // The agent ran out of time, and it was the provider that said nothing.
  {
    ...fault('stall', { kind: 'stall' }, ['provider-error']),
    agentTimeout: '45s',
    stalledAfterSeconds: 15,
  },
  // The model's fault, not the provider's: the program says so to the model, which goes on with its script and says that it is done.
  { ...fault('bad-arguments', { kind: 'bad-arguments' }, ['failed; completed']), tells: 'agent' },
  {
    ...fault('served-model', OTHER_MODEL, [`passed; ${OTHER_MODEL.model} answered`]),
    tells: 'served',
  },
  { ...fault('served-model-void', OTHER_MODEL, ['model-mismatch']), servedModelDiffers: 'void' },
];

/** The cases that say something of this harness. Those outside every comparison have none. */
export function casesFor({ special, protocol }: HarnessManifest): readonly ContractCase[] {
  if (special !== undefined) return [];
  return CONTRACT_CASES.filter(({ needsModel }) => !needsModel || protocol !== undefined);
}

/** Where the base image's agent finds the Skills of this harness. */
function skillFolder({ discovery }: HarnessManifest): string {
  const [home] = discovery.home;
  const [project] = discovery.project;
  if (home !== undefined) return `/home/agent/${home}`;
  return project === undefined ? (discovery.system[0] ?? '') : `/workspace/${project}`;
}
