/** One check of the whole project: a command of Node's, run in the project's folder, that fails with exit code > 0. */
export interface Gate {
  readonly name: string;
  /** What a failure means, in a few words. */
  readonly guards: string;
  /** Script of a package in node_modules or of ours, and its arguments. */
  readonly command: readonly string[];
}

/** Every gate of `npm run check`, the slowest first so that they end together. */
export const GATES: readonly Gate[] = [
  { name: 'types', guards: 'TypeScript types', command: ['node_modules/typescript/bin/tsc', '-p', '.'] },
  {
    name: 'api-docs',
    guards: 'doc comments on every export',
    command: ['scripts/api-docs.ts'],
  },
  {
    name: 'unused',
    guards: 'unused files, exports and dependencies',
    command: ['node_modules/knip/bin/knip.js', '--treat-config-hints-as-errors', '--no-progress'],
  },
  {
    name: 'lint',
    guards: 'format and lint rules',
    command: [
      'node_modules/@biomejs/biome/bin/biome',
      'check',
      '--error-on-warnings',
      '--max-diagnostics=50',
    ],
  },
  { name: 'layers', guards: 'who may import whom', command: ['scripts/layers.ts'] },
  {
    name: 'schemas',
    guards: 'JSON Schemas equal to the sources',
    command: ['scripts/schemas.ts', '--check'],
  },
  {
    name: 'vocabulary',
    guards: 'docs/vocabulary.md equal to src/model',
    command: ['scripts/vocabulary.ts', '--check'],
  },
  { name: 'docs', guards: 'links in documents', command: ['scripts/docs.ts'] },
];
