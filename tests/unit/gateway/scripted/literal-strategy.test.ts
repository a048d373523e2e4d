import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { chooseSkills } from '../../../../harnesses/literal/src/choose.ts';
import { commandBlocks as literalBlocks } from '../../../../harnesses/literal/src/command-blocks.ts';
import { readSkillHead } from '../../../../harnesses/literal/src/skill-head.ts';
import { DEFAULT_SCRIPT } from '../../../../src/gateway/scripted/default-script.ts';
import { scriptedModel } from '../../../../src/gateway/scripted/scripted-model.ts';
import { ModelProtocol } from '../../../../src/model/model-protocol.ts';
import { type Answer, readAnswer } from './support/read-answer.ts';
import { type Round, request } from './support/requests.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const TASKS = globSync('tasks/*/instruction.md', { cwd: ROOT }).map((path) => ({
  task: basename(dirname(path)),
  instruction: readFileSync(join(ROOT, path), 'utf8'),
}));

interface Library {
  readonly name: string;
  readonly description: string;
  readonly path: string;
  readonly body: string;
  readonly whole: string;
}

/** Every Skill of the project, as a harness finds it below the home folder. */
const SKILLS: readonly Library[] = globSync(['skills/*/SKILL.md', 'tasks/*/skills/*/SKILL.md'], { cwd: ROOT })
  .toSorted()
  .map((path) => {
    const whole = readFileSync(join(ROOT, path), 'utf8');
    const name = basename(dirname(path));
    const description = readSkillHead(whole)?.description ?? '';
    return {
      name,
      description,
      path: `/home/agent/.agents/skills/${name}/SKILL.md`,
      body: whole.split(/^---$/m).slice(2).join('---'),
      whole,
    };
  });

function chosen(instruction: string): readonly Library[] {
  const found = SKILLS.map((skill) => ({ ...skill, folder: skill.name }));
  const names = chooseSkills(instruction, found).map(({ skill }) => skill.name);
  return names.map((name) => SKILLS.find((skill) => skill.name === name) as Library);
}

const elements = SKILLS.map(
  ({ name, description, path }) =>
    `  <skill>\n    <name>${name}</name>\n    <description>${description.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</description>\n    <location>${path}</location>\n  </skill>`,
);

/** How the harness of each protocol lists Skills. */
const LISTINGS: Readonly<Record<ModelProtocol, string>> = {
  'anthropic-messages': `# Env\n\nThe following skills are available for use with the Skill tool:\n\n${SKILLS.map(({ name, description }) => `- ${name}: ${description}`).join('\n')}\n`,
  'openai-responses': `<skills_instructions>\n## Skills\n### Skill roots\n- \`r0\` = \`/home/agent/.agents/skills\`\n### Available skills\n${SKILLS.map(({ name, description }) => `- ${name}: ${description} (file: r0/${name}/SKILL.md)`).join('\n')}\n### How to use skills\n- Discovery: read them.\n</skills_instructions>`,
  'openai-chat': `<available_skills>\n${elements.join('\n')}\n</available_skills>`,
  gemini: `# Available Agent Skills\n\n<available_skills>\n${elements.join('\n')}\n</available_skills>`,
};

/** What comes back when a Skill is opened. */
const OPENED: Readonly<Record<ModelProtocol, (skill: Library) => Round>> = {
  'anthropic-messages': ({ name, path, body }) => ({
    back: `Launching skill: ${name}`,
    beside: `Base directory for this skill: ${dirname(path)}\n\n${body}`,
  }),
  'openai-responses': ({ whole }) => ({ back: `Chunk ID: 1\nProcess exited with code 0\nOutput:\n${whole}` }),
  'openai-chat': ({ name, path, body }) => ({
    back: `Loaded ${name}`,
    beside: `Base directory for this skill: file://${dirname(path)}\n${body}`,
  }),
  gemini: ({ name, body }) => ({
    back: `<activated_skill name="${name}">\n  <instructions>\n${body}\n  </instructions>\n\n  <available_resources>scripts</available_resources>\n</activated_skill>`,
  }),
};

const OPENS: Readonly<Record<ModelProtocol, (skill: Library) => object>> = {
  'anthropic-messages': ({ name }) => ({ name: 'Skill', input: { skill: name } }),
  'openai-responses': ({ path }) => ({ name: 'exec_command', input: { cmd: `cat ${path}` } }),
  'openai-chat': ({ name }) => ({ name: 'skill', input: { skill: name } }),
  gemini: ({ name }) => ({ name: 'activate_skill', input: { name } }),
};

async function answer(protocol: ModelProtocol, wish: Parameters<typeof request>[1]): Promise<Answer> {
  const respond = scriptedModel(DEFAULT_SCRIPT);
  return readAnswer(protocol, await respond(request(protocol, wish), new AbortController().signal));
}

function command({ calls }: Answer): string {
  const input = calls[0]?.input as { command?: string; cmd?: string };
  const text = input.command ?? input.cmd ?? '';
  execFileSync('/bin/sh', ['-n', '-c', text]);
  return text;
}

describe.each(ModelProtocol.options)('in %s', (protocol) => {
  it.each(TASKS)(
    '$task: with Skills, the literal one is opened and its commands are run',
    async ({ instruction }) => {
      const listing = LISTINGS[protocol];
      const rounds: Round[] = [];
      let commands = 0;
      for (const skill of chosen(instruction)) {
        const opening = await answer(protocol, { instruction, listing, rounds });
        expect(opening.calls).toMatchObject([OPENS[protocol](skill)]);
        rounds.push(OPENED[protocol](skill));
        const blocks = literalBlocks(skill.whole);
        if (blocks.length === 0) continue;
        const run = command(await answer(protocol, { instruction, listing, rounds }));
        for (const block of blocks) expect(run).toContain(block);
        expect(run).toContain(`SKILL_DIR=${dirname(skill.path)} `);
        expect(run).toMatch(/INPUT=\/workspace\/data\/\S+\.csv OUTPUT=\/workspace\/out\/\S+\.csv\n/);
        rounds.push({ back: 'done' });
        commands += 1;
      }
      if (commands === 0) {
        const own = literalBlocks(instruction)[0] ?? 'none';
        expect(command(await answer(protocol, { instruction, listing, rounds }))).toContain(own);
        rounds.push({ back: 'done' });
      }
      expect(await answer(protocol, { instruction, listing, rounds })).toMatchObject({
        text: 'Done.',
        calls: [],
      });
    },
  );

  it.each(TASKS)("$task: without Skills, the instruction's own command is run", async ({ instruction }) => {
    const naive = command(await answer(protocol, { instruction }));
    expect(naive).toContain(literalBlocks(instruction)[0]);
    const end = await answer(protocol, { instruction, rounds: [{ back: 'done' }] });
    expect(end).toMatchObject({ text: 'Done.', calls: [] });
  });
});

it('seven of the eight tasks have a Skill that fits', () => {
  expect(TASKS).toHaveLength(8);
  expect(TASKS.filter(({ instruction }) => chosen(instruction).length > 0).length).toBeGreaterThanOrEqual(7);
});

it('an instruction without commands gets the input in the place of the output', async () => {
  const instruction = 'Sort it.\n\n- Input: `/data/in one.csv`\n- Output: `/out/a/b.csv`\n';
  const { calls } = await answer('openai-responses', { instruction });
  expect(calls).toEqual([
    { name: 'exec_command', input: { cmd: "mkdir -p /out/a && cp '/data/in one.csv' /out/a/b.csv" } },
  ]);
});

it('an instruction that asks for nothing to be done ends at once', async () => {
  expect(await answer('gemini', { instruction: 'Say hello.' })).toMatchObject({ text: 'Done.', calls: [] });
});
