import { describe, expect, it } from 'vitest';
import { checkListing } from '../../../src/harness/listing-check.ts';
import { readSkillListing } from '../../../src/harness/skill-listing.ts';
import { skillNamed } from './program-fixture.ts';

/** The first request of each program that lists these Skills; without a description where that is empty. */
const PROGRAMS = {
  'Claude Code': (skills: Readonly<Record<string, string>>) => {
    const items = Object.entries(skills).map(([name, text]) =>
      text === '' ? `- ${name}` : `- ${name}: ${text}`,
    );
    const listing = `The following skills are available for use with the Skill tool:\n\n${items.join('\n')}\n\n# Environment\n- cwd: /ws`;
    return {
      model: 'm',
      system: [{ type: 'text', text: 'You are a program.' }],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Do it.' }] },
        { role: 'system', content: items.length === 0 ? '# Environment' : listing },
      ],
      tools: [{ name: 'Skill' }],
    };
  },
  Codex: (skills: Readonly<Record<string, string>>) => {
    const items = Object.entries(skills).map(
      ([name, text]) => `- ${name}${text === '' ? '' : `: ${text}`} (file: r0/${name}/SKILL.md)`,
    );
    const block = `<skills_instructions>\n## Skills\n### Skill roots\n- r0 = /ws/.agents/skills\n### Available skills\n${items.join('\n')}\n### How to use skills\n- Discovery: read the file\n</skills_instructions>`;
    return {
      model: 'm',
      instructions: 'You are a program.',
      input: [
        { type: 'message', role: 'developer', content: [{ type: 'input_text', text: block }] },
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Do it.' }] },
      ],
    };
  },
  'Gemini CLI': (skills: Readonly<Record<string, string>>) => {
    const items = Object.entries(skills).map(
      ([name, text]) =>
        `<skill>\n<name>${name}</name>\n<description>${text}</description>\n<location>/root/.agents/skills/${name}/SKILL.md</location>\n</skill>`,
    );
    return {
      systemInstruction: {
        role: 'user',
        parts: [{ text: `You.\n<available_skills>${items.join('\n')}</available_skills>` }],
      },
      contents: [{ role: 'user', parts: [{ text: 'Files: .agents/skills/alpha/SKILL.md\nDo it.' }] }],
    };
  },
  OpenHands: (skills: Readonly<Record<string, string>>) => {
    const items = Object.entries(skills).map(
      ([name, text]) =>
        `  <skill>\n    <name>${name}</name>\n    <description>${text}</description>\n  </skill>`,
    );
    const block = `<SKILLS>\n<available_skills>\n${items.join('\n')}\n</available_skills>\n</SKILLS>`;
    return {
      model: 'm',
      messages: [
        {
          role: 'system',
          content: [
            { type: 'text', text: 'You.' },
            { type: 'text', text: block },
          ],
        },
        { role: 'user', content: [{ type: 'text', text: 'Do it.' }] },
      ],
    };
  },
};

const listings = (found: ReturnType<typeof checkListing>) => found.map(({ listing }) => listing);

describe.each(Object.entries(PROGRAMS))('the listing of %s', (_, request) => {
  const skills = [skillNamed('alpha'), skillNamed('beta')];

  it('shows the Skills of the right folder with their descriptions', () => {
    const body = request({ alpha: 'Use when: it fits', beta: 'B', builtin: 'C' });
    expect(listings(checkListing(skills, body))).toEqual(['listed', 'listed']);
    expect(readSkillListing(body)?.listed.map(({ name }) => name)).toEqual(['alpha', 'beta', 'builtin']);
    expect(readSkillListing(body)?.listed[0]?.description).toBe('Use when: it fits');
  });

  it('does not show one that lies in the folder of another harness, too deep, or as skill.md', () => {
    // In all three cases the program passes it over in silence: only the other one is listed.
    expect(listings(checkListing(skills, request({ beta: 'B' })))).toEqual(['not-listed', 'listed']);
    expect(listings(checkListing(skills, request({})))).toEqual(['not-listed', 'not-listed']);
  });

  it('shows forty Skills without descriptions where the budget for the list is used up', () => {
    const forty = Array.from({ length: 40 }, (__, number) => skillNamed(`skill-${number}`));
    const body = request(
      Object.fromEntries(forty.map(({ name }, index) => [name, index < 25 ? 'text' : ''])),
    );
    const found = listings(checkListing(forty, body));
    expect(found.filter((each) => each === 'listed')).toHaveLength(25);
    expect(found.filter((each) => each === 'listed-without-description')).toHaveLength(15);
  });
});

describe('a listing', () => {
  const skill = skillNamed('alpha-folder', 'alpha-title');

  it('may name a Skill by its folder, by its title, or by its file', () => {
    for (const name of ['alpha-folder', 'alpha-title']) {
      expect(checkListing([skill], PROGRAMS.OpenHands({ [name]: 'A' }))[0]?.listing).toBe('listed');
    }
    const byFile = PROGRAMS['Gemini CLI']({ 'alpha-folder': 'A' });
    const body = JSON.parse(JSON.stringify(byFile).replace('<name>alpha-folder<', '<name>other<'));
    expect(checkListing([skill], body)[0]?.listing).toBe('listed');
    const both = PROGRAMS['Claude Code']({ 'alpha-folder (alpha-title)': 'A' });
    expect(checkListing([skill], both)[0]?.listing).toBe('listed');
  });

  it('cannot be told from a request that was not kept or is of no known shape', () => {
    for (const body of [undefined, 'text', {}, { prompt: 'x' }, []]) {
      expect(checkListing([skill], body)[0]?.listing).toBe('cannot-tell');
    }
  });

  it('is not what a user quotes, and is what a program puts into a reminder', () => {
    const text =
      '<available_skills><skill><name>alpha-title</name><description>A</description></skill></available_skills>';
    const said = (content: string) => ({ messages: [{ role: 'user', content }] });
    expect(checkListing([skill], said(`Explain ${text}`))[0]?.listing).toBe('not-listed');
    expect(checkListing([skill], said(`<system-reminder>${text}</system-reminder>`))[0]?.listing).toBe(
      'listed',
    );
  });

  it('tells a Skill whose body the prompt loaded', () => {
    const codex = '<skill>\n<name>alpha-title</name>\n<path>/x/SKILL.md</path>\nbody</skill>';
    expect(readSkillListing({ input: [{ role: 'user', content: [{ text: codex }] }] })?.loaded).toEqual([
      'alpha-title',
    ]);
    const claude = 'Base directory for this skill: /root/.claude/skills/alpha-folder\n\nbody';
    expect(readSkillListing({ messages: [{ role: 'user', content: claude }] })?.loaded).toEqual([
      'alpha-folder',
    ]);
  });
});
