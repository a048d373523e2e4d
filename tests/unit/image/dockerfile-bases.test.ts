import { describe, expect, test } from 'vitest';
import { parseDockerfile } from '../../../src/image/dockerfile.ts';
import { baseEdits, baseKey, dockerfileBases } from '../../../src/image/dockerfile-bases.ts';
import type { ResolvedBase } from '../../../src/image/resolved-base.ts';
import { applyEdits } from '../../../src/image/text-edit.ts';

function bases(text: string) {
  const parsed = parseDockerfile('Dockerfile', text);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.error));
  return dockerfileBases(parsed.value);
}

const TEXT = `ARG BASE=python:3.11
FROM --platform=linux/amd64 ubuntu:24.04 AS builder
COPY --from=ghcr.io/astral-sh/uv:0.8.14 --chown=1:1 /uv /bin/
from \${BASE}
COPY --from=Builder /a /a
COPY --from=0 /b /b
COPY --from=builder2 /c /c
FROM builder AS builder2
FROM scratch
`;

describe('the bases of a Dockerfile', () => {
  test('are all images from outside: in FROM, and those that only a COPY names', () => {
    expect(
      bases(TEXT).map(({ name, platform, copiedFrom, line }) => [name, platform, copiedFrom, line]),
    ).toEqual([
      ['ubuntu:24.04', 'linux/amd64', false, 2],
      ['ghcr.io/astral-sh/uv:0.8.14', undefined, true, 3],
      ['python:3.11', undefined, false, 4],
      ['builder2', undefined, true, 7],
    ]);
  });

  test('are named by id in what is sent, so that a name that moves meanwhile changes nothing', () => {
    const uses = bases(TEXT);
    const found = new Map(
      uses.map((use, at) => [baseKey(use), { name: use.name, info: { id: `sha256:${at}` } } as ResolvedBase]),
    );
    expect(applyEdits(TEXT, baseEdits(uses, found)).split('\n').slice(1, 7)).toEqual([
      'FROM sha256:0 AS builder',
      'COPY --from=sha256:1 --chown=1:1 /uv /bin/',
      'from sha256:2',
      'COPY --from=Builder /a /a',
      'COPY --from=0 /b /b',
      'COPY --from=sha256:3 /c /c',
    ]);
  });
});
