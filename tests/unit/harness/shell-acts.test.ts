import { describe, expect, it } from 'vitest';
import { shellActs } from '../../../src/harness/shell-acts.ts';
import { skillPlaces } from '../../../src/harness/skill-paths.ts';

const A = '/home/agent/.claude/skills/alpha';

/** Whether a command opens and runs the Skill `alpha`. */
function does(command: string, folder = ''): string {
  const { reads, runs } = shellActs(command, folder);
  const has = (paths: readonly string[]) => paths.some((path) => skillPlaces(path, ['alpha']).length > 0);
  return [has(reads) ? 'reads' : '', has(runs) ? 'runs' : ''].filter(Boolean).join(' and ') || 'nothing';
}

describe('what a shell command does with a Skill', () => {
  const cases: readonly (readonly [string, string])[] = [
    [`cat ${A}/SKILL.md`, 'reads'],
    [`head -n 20 '${A}/SKILL.md'`, 'reads'],
    [`sed -n '1,80p' "${A}/SKILL.md"`, 'reads'],
    ['cat ~/.agents/skills/alpha/references/x.md', 'reads'],
    [`cd ${A} && cat SKILL.md`, 'reads'],
    [`cd ${A}; ls; wc -l < SKILL.md`, 'reads'],
    [`/bin/bash -lc 'cat ${A}/SKILL.md'`, 'reads'],
    [`bash -lc "cd ${A} && sed -n 1,40p SKILL.md"`, 'reads'],
    [`python3 -c "print(open('${A}/SKILL.md').read())"`, 'reads'],
    [`python3 - <<'EOF'\nprint(open("${A}/SKILL.md").read())\nEOF`, 'reads'],
    [`grep -rn usage ${A}`, 'reads'],
    [`cp -r ${A}/assets .`, 'reads'],
    [`S=${A}; cat $S/SKILL.md`, 'reads'],
    [`export S=x; for f in ${A}/*.md; do cat "$f"; done`, 'reads'],
    ['cat ~/.claude/skills/*/SKILL.md', 'reads'],
    [`find ${A} -name '*.md' | xargs cat`, 'reads'],
    [`find ${A} -name '*.md' -exec cat {} +`, 'reads'],
    [`sudo timeout 10 cat ${A}/SKILL.md | head`, 'reads'],
    ['cat .claude/skills/alpha/SKILL.md > /tmp/x', 'reads'],
    [`python3 ${A}/scripts/run.py --in x`, 'reads and runs'],
    [`${A}/scripts/run.sh x`, 'runs'],
    [`cd ${A}/scripts && ./run.sh`, 'runs'],
    [`cd ${A} && python scripts/run.py`, 'reads and runs'],
    [`. ${A}/env.sh`, 'reads and runs'],
    [`DEBUG=1 bash ${A}/scripts/run.sh`, 'reads and runs'],
    [`uv run ${A}/scripts/run.py`, 'reads and runs'],
    [`node --no-warnings ${A}/scripts/run.mjs`, 'reads and runs'],
    [`ls -la ${A}`, 'nothing'],
    ['ls ~/.claude/skills/*/', 'nothing'],
    [`find ${A} -name SKILL.md`, 'nothing'],
    [`find ${A} -type f -exec ls -l {} ;`, 'nothing'],
    [`test -f ${A}/SKILL.md && echo there`, 'nothing'],
    [`echo "look at ${A}/SKILL.md"`, 'nothing'],
    [`cat > notes.md <<'EOF'\nsee ${A}/SKILL.md; cat it\nEOF`, 'nothing'],
    [`date > ${A}/stamp`, 'nothing'],
    [`rm -rf ${A}`, 'nothing'],
    [`cd ${A} && cd /ws && cat SKILL.md`, 'nothing'],
    ['cat /ws/alpha/notes.md', 'nothing'],
    ['cat /ws/skills/beta/x.md', 'nothing'],
    ["echo 'unclosed", 'nothing'],
    ['', 'nothing'],
  ];
  it.each(cases)('%s', (command, expected) => {
    expect(does(command)).toBe(expected);
  });

  it('goes by the folder that the command starts in', () => {
    expect(does('cat SKILL.md', A)).toBe('reads');
    expect(does('cat SKILL.md', '/ws')).toBe('nothing');
  });

  it('tells where the command ends up', () => {
    expect(shellActs(`cd ${A} && cat SKILL.md`, '/ws').folder).toBe(A);
    expect(shellActs('cd sub; cd ..', '/ws').folder).toBe('/ws');
  });

  it('is found in a command of a megabyte', () => {
    expect(does(`cat ${A}/SKILL.md; echo ${'x'.repeat(1024 * 1024)}`)).toBe('reads');
  });
});

describe('a command made to be dear to read', () => {
  const many = 200_000;
  const commands: readonly (readonly [string, string])[] = [
    ['digits', '1'.repeat(many)],
    ['open quotes', `"'`.repeat(many / 2)],
    ['one open quote', `'${'a '.repeat(many / 2)}`],
    ['a long quoted word', `python -c "x ${'a'.repeat(many)}"`],
    ['empty lines in a here-document', `cat <<EOF\n${'\n'.repeat(many)}`],
    ['here-documents without an end', '<<A\n'.repeat(many / 4)],
    ['a variable that doubles itself', `a=xx; ${'a=$a$a; '.repeat(40)} cat $a`],
    ['interpreters', `${'bash '.repeat(many / 5)}<<EOF\nx\nEOF`],
    ['nested shells', `${'bash -c "'.repeat(2000)}`],
    ['stars', `cat /skills/${'a*'.repeat(30)}b/x`],
  ];
  it.each(commands)('is read in a moment: %s', (_, command) => {
    expect(does(command)).toBe('nothing');
  });
});

describe('a path of a Skill', () => {
  it('is one below a folder called skills, or with its SKILL.md', () => {
    const known = ['alpha', 'beta'];
    expect(skillPlaces('.codex/skills/beta/x', known)).toEqual([{ skill: 'beta', inside: true }]);
    expect(skillPlaces('/r/skills/group/alpha/SKILL.md', known)).toEqual([{ skill: 'alpha', inside: true }]);
    expect(skillPlaces('alpha/SKILL.md', known)).toEqual([{ skill: 'alpha', inside: true }]);
    expect(skillPlaces('/skills/alpha', known)).toEqual([{ skill: 'alpha', inside: false }]);
    expect(skillPlaces('/ws/alpha/readme.md', known)).toEqual([]);
  });

  it('names a Skill that nobody knows only where programs look for Skills', () => {
    expect(skillPlaces('~/.codex/skills/.system/imagegen/SKILL.md', [])).toEqual([
      { skill: 'imagegen', inside: true },
    ]);
    expect(skillPlaces('/ws/skills/imagegen/SKILL.md', [])).toEqual([]);
  });
});
