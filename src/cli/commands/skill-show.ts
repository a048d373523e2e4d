import { resolve } from 'node:path';
import { InputError } from '../../model/problem.ts';
import { findingsJson } from '../../report/findings-json.ts';
import { renderFindings } from '../../report/findings-text.ts';
import { renderSkill } from '../../report/skill-page.ts';
import { assessSkill, listingHarnesses } from '../assess-skill.ts';
import { type Environment, say } from '../environment.ts';
import { EXIT } from '../exit-code.ts';
import { findOneSkill } from '../find-skills.ts';
import { warnings } from '../load-experiment.ts';
import { skillJson, skillRow } from '../skill-row.ts';

/** `skillpair skill show`: all that is known of one bundle, good or bad. */
export async function skillShowCommand(
  environment: Environment,
  [folder = '']: readonly string[],
  flags: { readonly harnesses: string; readonly json: boolean },
): Promise<number> {
  const { cwd } = environment;
  const known = await listingHarnesses(resolve(cwd, flags.harnesses), cwd);
  environment.stderr.stream.write(warnings(environment, known.problems));
  const one = await assessSkill(await findOneSkill(cwd, folder), cwd, known);
  const { skill, license, entries, problems } = one.loaded;
  if (problems.some(({ rule }) => rule === 'skill-file')) throw new InputError(problems);
  const files = entries.map(({ path, kind, mode, size }) => ({ path, kind, mode, size }));
  if (flags.json)
    say(environment.stdout, findingsJson(one.findings, cwd, { skill: skillJson(one), entries: files }));
  else {
    const head = {
      ...(skill === undefined ? {} : { title: skill.title, description: skill.description }),
      ...(license === undefined ? {} : { license }),
      fault: problems.find(({ severity }) => severity === 'error')?.message,
    };
    say(environment.stdout, renderSkill({ row: skillRow(one), head, entries: files, quality: one.quality }));
    environment.stderr.stream.write(renderFindings(one.findings, cwd));
  }
  return skill === undefined ? EXIT.input : EXIT.ok;
}
