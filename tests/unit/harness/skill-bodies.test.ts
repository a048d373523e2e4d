import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lines, readProgram, skillNamed } from './program-fixture.ts';
import { codexWords, TURN_COMPLETED } from './programs/codex-words.ts';

const TELLING = 'Multiply the reading by the factor in references/factors.csv first.';
const SKILL_FILE = `---\nname: alpha\ndescription: Converts the readings of old instruments into new units, whatever they are.\n---\n# alpha\n\n${TELLING}\nThen add.\n`;

/** How `alpha` was used where a command answered this. */
async function useAfter(command: string, answer: string, staged = ['alpha']) {
  const dir = await mkdtemp(join(tmpdir(), 'skillpair-body-'));
  try {
    await writeFile(join(dir, 'SKILL.md'), SKILL_FILE);
    const events = [...codexWords.start, ...codexWords.shell(command, answer), TURN_COMPLETED];
    const skills = [{ ...skillNamed('alpha'), dir }];
    const { skillUse } = await readProgram('codex', lines(...events), { skills, staged });
    return skillUse[0]?.stages?.opened;
  } finally {
    await rm(dir, { recursive: true });
  }
}

describe('the body of a Skill in an answer of a tool', () => {
  it('shows that the file was read, however the command named it', async () => {
    expect(await useAfter('grep -rh . ~/.agents', `x\n${TELLING}\ny`)).toBe('yes');
    expect(await useAfter('./look.sh', `     7\t${TELLING}`)).toBe('yes');
  });

  it('is not its description, which everybody is told', async () => {
    expect(
      await useAfter(
        './look.sh',
        'Converts the readings of old instruments into new units, whatever they are.',
      ),
    ).toBe('no');
  });

  it('is no evidence where the Skill was not in the container', async () => {
    expect(await useAfter('./look.sh', TELLING, [])).toBe('no');
  });
});
