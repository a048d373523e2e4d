import { describe, expect, it } from 'vitest';
import { chooseSkills } from '../../../../harnesses/literal/src/choose.ts';

const found = (folder: string, description: string) => ({
  folder,
  name: folder,
  path: `/home/agent/.agents/skills/${folder}/SKILL.md`,
  description,
});

const CLIMATE = found(
  'seasonal-trend',
  'Split a monthly climate series into trend and season. Use for time series with a yearly cycle.',
);
const INVOICE = found('invoice-audit', 'Check invoices against purchase orders and find duplicate payments.');
const INSTRUCTION = `# Warming at the observatory
The file holds the monthly mean of a climate series. Report the yearly trend in degrees, with the seasonal cycle taken out.`;

describe('the choice of Skills', () => {
  it('takes the Skill whose description speaks of what is asked, and no other', () => {
    const chosen = chooseSkills(INSTRUCTION, [INVOICE, CLIMATE]);
    // Shared with the instruction: seasonal, trend, monthly, climate, series, yearly, cycle of 10 telling words (split, season, time too).
    expect(chosen).toEqual([{ skill: CLIMATE, score: 0.7 }]);
  });

  it('takes nothing where only one word is shared, or a small share of the words', () => {
    expect(chooseSkills('Sum up the payments.', [INVOICE])).toEqual([]);
    const broad = found(
      'broad',
      `invoice payment ${Array.from({ length: 20 }, (_, n) => `topic${n}`).join(' ')}`,
    );
    expect(chooseSkills('Check the invoices and payments.', [broad])).toEqual([]);
  });

  it('takes three at most, best first, equal ones by name', () => {
    const weak = found('d', 'climate trend unrelated words here');
    const twins = ['c', 'b', 'a'].map((name) => found(name, 'monthly climate trend'));
    expect(chooseSkills(INSTRUCTION, [weak, ...twins]).map(({ skill }) => skill.folder)).toEqual([
      'a',
      'b',
      'c',
    ]);
  });

  it('never takes a Skill without a description', () => {
    expect(chooseSkills('monthly climate trend', [found('monthly-climate-trend', '')])).toEqual([]);
  });
});
