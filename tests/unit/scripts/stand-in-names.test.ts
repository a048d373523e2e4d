import { describe, expect, test } from 'vitest';
import { COMMON_NAMES, standInFor, standInTag } from '../../../scripts/stand-in-names.ts';

const tagFor = (name: string, fat = false) => {
  const standIn = standInFor(name, fat);
  return standIn === undefined ? undefined : standInTag(standIn);
};

describe('the stand-in for a published image', () => {
  test.each([
    ['ubuntu:24.04', 'bookworm'],
    ['ubuntu:22.04', 'bookworm'],
    ['ubuntu:20.04', 'bullseye'],
    ['ubuntu', 'bookworm'],
    ['docker.io/library/ubuntu:24.04', 'bookworm'],
    ['debian:bullseye-slim', 'bullseye'],
    ['debian:12-slim', 'bookworm'],
    ['debian:13.0-slim', 'trixie'],
    ['python:3.9.19-slim', 'python-3.9'],
    ['python:3.10-slim', 'python-3.11'],
    ['python:3.11', 'python-3.11'],
    ['python:3.12.8-slim', 'python-3.11'],
    ['python:3.13-slim-bookworm', 'python-3.13'],
  ])('of %s is %s', (name, tag) => {
    expect(tagFor(name)).toBe(`skillpair/stand-in:${tag}`);
  });

  test('has the slow packages in it where these are asked for', () => {
    expect(tagFor('ubuntu:24.04', true)).toBe('skillpair/stand-in:bookworm-fat');
    expect(tagFor('python:3.11-slim', true)).toBe('skillpair/stand-in:python-3.11-fat');
  });

  test.each([
    'ubuntu:18.04',
    'debian:9',
    'python:2.7',
    'python:3.1',
    'python:3.12-alpine',
    'python:latest',
    'alpine:3.20',
    'constructor:1',
    'ghcr.io/astral-sh/uv:0.8.14',
    'somebody/ubuntu:24.04',
    'ubuntu@sha256:0000000000000000000000000000000000000000000000000000000000000000',
  ])('of %s does not exist', (name) => {
    expect(tagFor(name)).toBeUndefined();
  });

  test('exists for every name that is made one without being asked for tasks', () => {
    expect(COMMON_NAMES.filter((name) => standInFor(name, false) === undefined)).toEqual([]);
  });
});
