import type { ConfigurationFigures, SkillUseFigures, StageFigures } from '../model/measurement.ts';
import { firstRows } from './first-rows.ts';
import { formatCount } from './format.ts';
import { cell, markdownTable } from './markdown-table.ts';

const MOST_ROWS = 60;
const STAGES =
  'Stages are trials with yes / no / cannot tell: in the container, named to the model, opened, a script of it run.';

/** In how many trials of each configuration and arm each Skill was used, by the harnesses' own accounts. */
export function skillUseTable(configurations: readonly ConfigurationFigures[]): string[] {
  const hasStages = configurations.some(({ skillUse }) =>
    skillUse.some(({ stages }) => stages !== undefined),
  );
  const hasAbsent = configurations.some(({ skillUse }) =>
    skillUse.some(({ notPresent }) => notPresent !== undefined),
  );
  const rows = configurations.flatMap(({ configuration, skillUse }) =>
    skillUse.map(({ condition, skill, used, notUsed, cannotTell, notPresent = 0, stages }) => [
      cell(configuration),
      condition,
      cell(skill),
      formatCount(used),
      formatCount(notUsed),
      formatCount(cannotTell),
      ...(hasAbsent ? [formatCount(notPresent)] : []),
      ...(hasStages ? stageCells(stages) : []),
    ]),
  );
  const head = [
    ...['configuration', 'arm', 'Skill', 'used', 'not used', 'cannot tell'],
    ...(hasAbsent ? ['not present'] : []),
    ...(hasStages ? ['staged', 'listed', 'opened', 'script run'] : []),
  ];
  const left = firstRows(rows, () => '', { most: MOST_ROWS, where: 'measurement.json' }).slice(MOST_ROWS);
  return [
    ...markdownTable(head, rows.slice(0, MOST_ROWS)),
    ...(left.length === 0 ? [] : ['', ...left]),
    ...(hasStages ? ['', STAGES] : []),
  ];
}

function stageCells(stages: SkillUseFigures['stages']): string[] {
  if (stages === undefined) return ['n/a', 'n/a', 'n/a', 'n/a'];
  const { staged, listed, opened, scriptRun } = stages;
  return [staged, listed, opened, scriptRun].map(stageText);
}

function stageText({ yes, no, cannotTell }: StageFigures): string {
  return [yes, no, cannotTell].map(formatCount).join(' / ');
}
