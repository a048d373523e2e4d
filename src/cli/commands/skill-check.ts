import { mkdir } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { atomicWrite } from '../../base/atomic-write.ts';
import { MOST_POINTS } from '../../lint/skill/quality.ts';
import type { Finding } from '../../model/finding.ts';
import { SKILL_RULES } from '../../model/skill-rule.ts';
import { findingsJson } from '../../report/findings-json.ts';
import { findingsJunit } from '../../report/findings-junit.ts';
import { countFindings, renderFindings } from '../../report/findings-text.ts';
import { formatMany } from '../../report/format.ts';
import { renderPortability } from '../../report/skill-table.ts';
import {
  assessSkill,
  type ListingHarnesses,
  listingHarnesses,
  type SkillAssessment,
} from '../assess-skill.ts';
import { type Environment, say } from '../environment.ts';
import { EXIT } from '../exit-code.ts';
import { findSkills } from '../find-skills.ts';
import { warnings } from '../load-experiment.ts';
import { mendSkill } from '../mend-skill.ts';
import { outputFile } from '../output-place.ts';
import { skillJson, skillRow } from '../skill-row.ts';

interface Flags {
  readonly harnesses: string;
  readonly harness?: readonly string[];
  readonly fix: boolean;
  readonly strict: boolean;
  readonly json: boolean;
  readonly junit?: string;
}

/** `skillpair skill check`: findings, one a line, then the table of who lists what. Needs no engine and no model. */
export async function skillCheckCommand(
  environment: Environment,
  named: readonly string[],
  flags: Flags,
): Promise<number> {
  const { cwd } = environment;
  const junitFile = flags.junit === undefined ? undefined : await outputFile(cwd, '--junit', flags.junit);
  const known = await listingHarnesses(resolve(cwd, flags.harnesses), cwd, flags.harness);
  environment.stderr.stream.write(warnings(environment, known.problems));
  const found = await findSkills(cwd, named);
  const assessed: SkillAssessment[] = [];
  for (const dir of found.dirs) assessed.push(await checkOne(environment, { dir, known, flags }));
  const findings = [...assessed.flatMap((one) => one.findings), ...found.findings];
  if (junitFile !== undefined) await writeJunit(environment, junitFile, { assessed, findings, flags });
  if (flags.json) say(environment.stdout, findingsJson(findings, cwd, { skills: assessed.map(skillJson) }));
  else {
    environment.stdout.stream.write(renderFindings(findings, cwd));
    say(environment.stdout, renderPortability(assessed.map(skillRow), MOST_POINTS));
    say(environment.stdout, `${formatMany(assessed.length, 'Skill')}: ${countFindings(findings)}`);
  }
  const failing = flags.strict ? ['error', 'warning'] : ['error'];
  return findings.some(({ severity }) => failing.includes(severity)) ? EXIT.gate : EXIT.ok;
}

async function checkOne(
  environment: Environment,
  { dir, known, flags }: { readonly dir: string; readonly known: ListingHarnesses; readonly flags: Flags },
): Promise<SkillAssessment> {
  const one = await assessSkill(dir, environment.cwd, known);
  if (!flags.fix) return one;
  const diff = await mendSkill(one);
  if (diff === '') return one;
  // The findings go to standard output, which must stay JSON where that was asked for.
  (flags.json ? environment.stderr : environment.stdout).stream.write(diff);
  return assessSkill(dir, environment.cwd, known);
}

async function writeJunit(
  environment: Environment,
  file: string,
  {
    assessed,
    findings,
    flags,
  }: {
    readonly assessed: readonly SkillAssessment[];
    readonly findings: readonly Finding[];
    readonly flags: Flags;
  },
): Promise<void> {
  const skills = assessed.map(({ subject, dir, loaded }) => ({
    subject,
    file: loaded.text === undefined ? dir : join(dir, 'SKILL.md'),
  }));
  const known = new Set(skills.map(({ subject }) => subject));
  const others = new Map(
    findings
      .filter(({ subject }) => !known.has(subject))
      .map(({ subject, where }) => [subject, { subject, file: where?.file ?? environment.cwd }]),
  );
  const text = findingsJunit({
    check: 'skill-check',
    subjects: [...skills, ...others.values()],
    rules: Object.keys(SKILL_RULES),
    findings,
    strict: flags.strict,
    root: environment.cwd,
    at: environment.now().toISOString(),
    hostname: hostname(),
  });
  await mkdir(dirname(file), { recursive: true });
  await atomicWrite(file, text);
}
