import { ModelScript } from '../../model/model-script.ts';

/** Where no script is named: every request is answered as the literal harness would work. */
export const DEFAULT_SCRIPT: ModelScript = ModelScript.parse({
  schemaVersion: 1,
  description: 'Follow the listed Skills that fit, else make the obvious attempt',
  rules: [{ turns: [{ strategy: 'literal' }] }],
});
