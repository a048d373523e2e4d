import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DockerfileParser } from 'dockerfile-ast';
import { describe, expect, it } from 'vitest';
import { ROOT } from './read-content.ts';

const steps = DockerfileParser.parse(readFileSync(join(ROOT, 'Dockerfile.base'), 'utf8'))
  .getInstructions()
  .map((step) => ({ keyword: step.getKeyword(), text: step.getArgumentsContent() ?? '' }));
const only = (keyword: string) => steps.filter((step) => step.keyword === keyword).map((step) => step.text);

describe('the base image', () => {
  it('starts from Debian 12 and takes nothing from the build’s folder', () => {
    expect(only('FROM')).toEqual(['debian:12-slim']);
    expect([...only('COPY'), ...only('ADD')]).toEqual([]);
  });

  it('installs no test runner, no package installer and no Node', () => {
    expect(only('RUN').join('\n')).not.toMatch(/\b(pytest|python3-pip|python3-venv|nodejs|npm)\b/);
  });

  it('stays root for the builds that go on from it, in the workspace', () => {
    expect(only('USER')).toEqual([]);
    expect(only('WORKDIR')).toEqual(['/workspace']);
  });
});
