import type { Finding } from '../../model/finding.ts';
import { absentContent } from './absent-content.ts';
import { answerInContext, carriageReturn, contextSize, gitHistory } from './folder-contents.ts';
import { foreignBase } from './foreign-base.ts';
import { instructionTellsAnswer } from './instruction-answers.ts';
import {
  instructionNamesSkill,
  instructionSharesSkillText,
  instructionSpeaksOfSkills,
} from './instruction-skills.ts';
import { almostRightMissing, oracleMissing } from './missing-solutions.ts';
import { pythonSyntax } from './python-syntax.ts';
import { scaffoldLeft } from './scaffold-left.ts';
import { secret } from './secrets.ts';
import { skillHoldsLiterals, skillHoldsTaskFile, skillSharesLines } from './skill-answers.ts';
import { proprietarySkill, skillLicenceMissing } from './skill-licence.ts';
import { skillNamesTask } from './skill-names-task.ts';
import { reachesForSkill } from './skill-paths.ts';
import { skillTellsExpected } from './skill-tells-expected.ts';
import type { LintedTask, TaskRule } from './task-rule.ts';
import { testAssertsNothing } from './test-assertions.ts';
import { testDependsOnChance } from './test-chance.ts';
import { testReadsNetwork } from './test-network.ts';
import { testDependsOnOrder } from './test-order.ts';
import { testDependsOnTime } from './test-time.ts';
import { pipedInstall, unpinnedApt, unpinnedInstall } from './unpinned-installs.ts';

/** All rules of a task's lint, in the order of docs/task-rules.md. */
export const TASK_RULES: readonly TaskRule[] = [
  instructionNamesSkill,
  instructionSharesSkillText,
  instructionSpeaksOfSkills,
  instructionTellsAnswer,
  skillHoldsTaskFile,
  skillSharesLines,
  skillHoldsLiterals,
  skillTellsExpected,
  skillNamesTask,
  reachesForSkill,
  proprietarySkill,
  skillLicenceMissing,
  pythonSyntax,
  testAssertsNothing,
  testReadsNetwork,
  testDependsOnTime,
  testDependsOnChance,
  testDependsOnOrder,
  answerInContext,
  oracleMissing,
  almostRightMissing,
  scaffoldLeft,
  absentContent,
  gitHistory,
  contextSize,
  carriageReturn,
  unpinnedInstall,
  unpinnedApt,
  pipedInstall,
  foreignBase,
  secret,
];

/** What the rules say of one task. */
export function lintTask(task: LintedTask): Finding[] {
  const { subject } = task;
  return TASK_RULES.flatMap(({ name, check }) =>
    check(task).map((remark): Finding => ({ ...remark, rule: name, subject })),
  );
}
