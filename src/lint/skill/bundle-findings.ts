import type { BundleEntry } from '../../model/skill.ts';
import type { SkillProblem } from '../../model/skill-rule.ts';
import { missingLicenceFiles } from './licence-file.ts';

/** A bundle as far as these checks look at it. */
export interface CheckedBundle {
  /** SKILL.md, as findings name it. */
  readonly path: string;
  readonly text: string;
  readonly license: string | undefined;
  readonly entries: readonly BundleEntry[];
}

/** What is to be said of a bundle beside its head: none of it keeps the Skill from being injected. */
export function bundleFindings(bundle: CheckedBundle): SkillProblem[] {
  return [
    ...brokenReferences(bundle),
    ...licenseFile(bundle),
    ...runnableFiles(bundle),
    ...proprietaryLicense(bundle),
  ];
}

/** `[text](target)` and `![text](target)`; a target with blanks stands in angle brackets. */
const LINK = /\]\(\s*(?:<([^>\n]+)>|([^()\s]+))[^()\n]*\)/g;

function brokenReferences({ path, text, entries }: CheckedBundle): SkillProblem[] {
  const known = new Set(entries.map((entry) => entry.path));
  const problems: SkillProblem[] = [];
  const lines = withoutCode(text.split('\n'));
  for (const [index, line] of lines.entries()) {
    for (const { 0: link, 1: bracketed, 2: plain, index: start } of line.matchAll(LINK)) {
      const target = bracketed ?? plain ?? '';
      if (isMissing(target, known)) {
        const column = start + link.indexOf(target) + 1;
        const where = { file: path, line: index + 1, column };
        const message = `the file "${target}" is not in the bundle`;
        const repair = 'put it there, or correct the link';
        problems.push({ severity: 'warning', rule: 'broken-reference', message, where, repair });
      }
    }
  }
  return problems;
}

/** Blanks in place of code, so that lines and columns stay. */
function withoutCode(lines: readonly string[]): string[] {
  let fence = '';
  return lines.map((line) => {
    const [, mark = ''] = /^\s*(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence === '' && mark !== '') fence = mark;
    else if (fence !== '') {
      if (mark.startsWith(fence)) fence = '';
    } else return line.replace(/`[^`]*`/g, (code) => ' '.repeat(code.length));
    return '';
  });
}

/** Other places (URLs, anchors, files beside the bundle, file names that are patterns) are not looked at. */
function isMissing(target: string, known: ReadonlySet<string>): boolean {
  const [file = ''] = target.split(/[?#]/);
  if (file === '' || /^([a-z][a-z0-9+.-]*:|\/|\.\.\/|~)|[{}*$]/i.test(file)) return false;
  const inner = decoded(file)
    .replace(/^(\.\/)+/, '')
    .replace(/\/+$/, '');
  return /[./]/.test(inner) && !known.has(inner);
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function licenseFile({ path, text, license, entries }: CheckedBundle): SkillProblem[] {
  const missing = missingLicenceFiles(
    license ?? '',
    entries.map((entry) => entry.path),
  );
  const at = text.split('\n').findIndex((line) => line.startsWith('license'));
  return missing.map((name) => {
    const where = { file: path, ...(at < 0 ? {} : { line: at + 1 }) };
    const message = `the license names ${name}, which is not in the bundle`;
    const repair = 'put the file there, or name the licence alone';
    return { severity: 'warning', rule: 'license-file', message, where, repair };
  });
}

const CODE = /\.(sh|bash|py|js|mjs|cjs|ts|rb|pl|ps1|bat|exe|so|jar|wasm)$/i;

function runnableFiles({ path, entries }: CheckedBundle): SkillProblem[] {
  const found = entries.filter(
    (entry) =>
      entry.kind === 'file' &&
      entry.path !== 'SKILL.md' &&
      ((entry.mode & 0o100) !== 0 || CODE.test(entry.path)),
  );
  const [first] = found;
  if (first === undefined) return [];
  const more = found.length === 1 ? '' : ` and ${found.length - 1} more`;
  const message = `the Skill brings code that an agent may run: ${first.path}${more}`;
  const repair = 'read it before you let an agent use the Skill';
  return [{ severity: 'note', rule: 'runs-code', message, where: { file: path }, repair }];
}

function proprietaryLicense({ path, license }: CheckedBundle): SkillProblem[] {
  if (license === undefined || !/proprietary|all rights reserved|confidential/i.test(license)) return [];
  const message = `the license reads "${license.length > 80 ? `${license.slice(0, 77)}...` : license}"`;
  const repair = 'ask its owner before you copy or publish it';
  return [{ severity: 'note', rule: 'proprietary-license', message, where: { file: path }, repair }];
}
