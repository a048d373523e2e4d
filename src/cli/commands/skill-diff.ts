import { canonicalJson } from '../../base/canonical-json.ts';
import { type ComparedSkill, compareSkills } from '../../lint/skill/compare-skills.ts';
import { loadSkill } from '../../load/skills.ts';
import { hasErrors, InputError } from '../../model/problem.ts';
import { renderSkillDiff } from '../../report/skill-diff.ts';
import { unifiedDiff } from '../../report/unified-diff.ts';
import { type Environment, say } from '../environment.ts';
import { EXIT } from '../exit-code.ts';
import { findOneSkill } from '../find-skills.ts';

/** `skillpair skill diff`: says in what two bundles differ; 0 where in nothing that would be injected, 1 where they do. */
export async function skillDiffCommand(
  environment: Environment,
  [before = '', after = '']: readonly string[],
  flags: { readonly json: boolean },
): Promise<number> {
  const [left, right] = [
    await readSkill(await findOneSkill(environment.cwd, before)),
    await readSkill(await findOneSkill(environment.cwd, after)),
  ];
  const differences = compareSkills(left, right);
  if (flags.json) {
    const digests = { before: left.skill.digest, after: right.skill.digest };
    say(environment.stdout, canonicalJson({ schemaVersion: 1, ...digests, differences }));
  } else {
    const text = unifiedDiff(
      { name: `${before}/SKILL.md`, text: left.text },
      { name: `${after}/SKILL.md`, text: right.text },
    );
    environment.stdout.stream.write(renderSkillDiff(differences, text));
  }
  return left.skill.digest === right.skill.digest ? EXIT.ok : EXIT.gate;
}

async function readSkill(dir: string): Promise<ComparedSkill & { readonly text: string }> {
  const { skill, head = {}, text = '', problems } = await loadSkill(dir);
  if (skill === undefined || hasErrors(problems)) throw new InputError(problems);
  return { skill, head, text };
}
