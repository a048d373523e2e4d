import type { ContentFile } from '../../model/task-content.ts';
import { allFiles, placeAt, type Remark, type TaskRule } from './task-rule.ts';

/** `sign` stands in every text of that shape: most files have none, and it is found far faster. */
const SHAPES: readonly (readonly [what: string, sign: string, shape: RegExp])[] = [
  ['an AWS access key id', 'AKIA', /\bAKIA[0-9A-Z]{16}\b/g],
  ['an AWS access key id', 'ASIA', /\bASIA[0-9A-Z]{16}\b/g],
  ['a GitHub token', 'github_pat_', /\bgithub_pat_\w{50,}\b/g],
  ...['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'].map(
    (sign) => ['a GitHub token', sign, new RegExp(`\\b${sign}[A-Za-z0-9]{36,}\\b`, 'g')] as const,
  ),
  ['an Anthropic key', 'sk-ant-', /\bsk-ant-[\w-]{24,}/g],
  ['an API key', 'sk-', /\bsk-(?!ant-)(?:proj-)?[A-Za-z0-9_-]{20,}/g],
  ['a Google API key', 'AIza', /\bAIza[0-9A-Za-z_-]{35}\b/g],
  ['a Slack token', 'xox', /\bxox[abprs]-[0-9A-Za-z-]{20,}/g],
  ['a Hugging Face token', 'hf_', /\bhf_[A-Za-z0-9]{30,}\b/g],
  ['a GitLab token', 'glpat-', /\bglpat-[\w-]{20,}/g],
  [
    'a private key',
    'PRIVATE KEY-----',
    /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----\s+(?:[A-Za-z0-9+/=:, -]+\s+){2,}/g,
  ],
];
/** Bits for each character: keys are near 5, words and `xxxx` far below. */
const LEAST_ENTROPY = 3.2;

/** Text that has the shape of a key. Its value never reaches the message. */
export const secret: TaskRule = {
  name: 'secret',
  check: (task) => allFiles(task).flatMap(secretsIn),
};

function secretsIn(file: ContentFile): Remark[] {
  const { text, hostPath } = file;
  if (text === undefined) return [];
  return SHAPES.flatMap(([what, sign, shape]) => {
    if (!text.includes(sign)) return [];
    const found = [...text.matchAll(shape)].find(([value]) => isLikely(value));
    if (found === undefined) return [];
    return [
      {
        severity: 'warning',
        message: `this looks like ${what}: ${masked(found[0])}`,
        where: placeAt(hostPath, text, found.index),
        repair: 'take it out and revoke it; a made-up value should look made up',
      },
    ];
  });
}

function isLikely(value: string): boolean {
  if (/example|sample|dummy|fake|test|your|placeholder|xxxx|0{6}|1234567/i.test(value)) return false;
  return entropy(value) >= LEAST_ENTROPY;
}

/** Shannon's, in bits for each character. */
function entropy(text: string): number {
  const counts = Map.groupBy(text, (char) => char).values();
  let bits = 0;
  for (const { length } of counts) bits -= (length / text.length) * Math.log2(length / text.length);
  return bits;
}

function masked(value: string): string {
  if (value.startsWith('-----')) return value.slice(0, value.indexOf('-----', 5) + 5);
  return `${value.slice(0, 4)}… (${value.length} characters)`;
}
