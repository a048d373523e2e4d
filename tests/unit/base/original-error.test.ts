import { describe, expect, it } from 'vitest';
import { originalError } from '../../../src/base/original-error.ts';

async function failing(first: Error, onRelease: readonly Error[]): Promise<void> {
  await using stack = new AsyncDisposableStack();
  for (const error of onRelease)
    stack.defer(() => {
      throw error;
    });
  throw first;
}

describe('originalError', () => {
  it.each([0, 1, 2])('is what came first, when %i releases failed after it', async (releases) => {
    const first = new Error('the engine went away');
    const later = Array.from({ length: releases }, (_, index) => new Error(`cannot remove ${index}`));
    const caught = await failing(first, later).catch((error: unknown) => error);
    expect(originalError(caught)).toBe(first);
  });

  it('is a value that was thrown and is no error', () => {
    expect(originalError('text')).toBe('text');
  });
});
