import { describe, expect, it } from 'vitest';
import { engineErrorFrom } from '../../../../src/engine/docker/engine-error.ts';
import { EngineError, type EngineErrorKind } from '../../../../src/engine/engine.ts';

function http(statusCode: number, message: string): Error {
  return Object.assign(new Error(`(HTTP code ${statusCode}) unexpected - ${message} `), { statusCode });
}

function node(code: string, syscall: string): Error {
  return Object.assign(new Error(`${syscall} ${code}`), { code, syscall });
}

describe('a failed engine call', () => {
  it.each<[string, Error, EngineErrorKind]>([
    ['nobody listens', node('ECONNREFUSED', 'connect'), 'unreachable'],
    ['the connection breaks', node('ECONNRESET', 'read'), 'unreachable'],
    [
      'the connection closes without an answer',
      Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }),
      'unreachable',
    ],
    ['the socket is not there', node('ENOENT', 'connect'), 'unreachable'],
    ['the socket is not for us', node('EACCES', 'connect'), 'unreachable'],
    ['a host file is not there', node('ENOENT', 'open'), 'other'],
    ['the host disk is full', node('ENOSPC', 'write'), 'no-space'],
    ['nothing is there', http(404, 'No such container: abc'), 'not-found'],
    ['a name is taken', http(409, 'Conflict. The container name "/x" is already in use'), 'conflict'],
    [
      'the engine disk is full',
      http(500, 'write /var/lib/docker/tmp/x: no space left on device'),
      'no-space',
    ],
    [
      'the address pool is empty',
      http(500, 'could not find an available, non-overlapping IPv4 address pool among the defaults'),
      'no-addresses',
    ],
    [
      'the image is for another machine',
      http(
        404,
        'image with reference x was found but does not match the specified platform: wanted linux/arm64',
      ),
      'platform',
    ],
    [
      'the registry has no such image',
      http(500, 'no matching manifest for linux/s390x in the manifest list entries'),
      'platform',
    ],
    ['the program is for another machine', http(400, 'exec /bin/sh: exec format error'), 'platform'],
    ['the engine has a fault of its own', http(500, 'something else'), 'other'],
  ])('has its own kind when %s', (_what, raw, kind) => {
    expect(engineErrorFrom('some call', raw).kind).toBe(kind);
  });

  it('says which call and the engine reason, without the wrapping of the library', () => {
    const raw = http(500, 'the reason');
    const error = engineErrorFrom('start container', raw);
    expect(error.message).toBe('start container: the reason');
    expect(error.cause).toBe(raw);
  });

  it('is an abort once the signal of the call has fired, whatever was thrown', () => {
    const error = engineErrorFrom('pull x', node('ECONNRESET', 'read'), AbortSignal.abort());
    expect(error).toMatchObject({ kind: 'aborted', message: 'pull x: stopped on request' });
  });

  it('passes through when it is one already', () => {
    const error = new EngineError('a', 'conflict', 'b');
    expect(engineErrorFrom('other', error)).toBe(error);
  });

  it('has a reason even where something other than an error was thrown', () => {
    expect(engineErrorFrom('x', 'plain text').message).toBe('x: plain text');
    expect(engineErrorFrom('x', undefined).message).toBe('x: undefined');
    expect(engineErrorFrom('x', {}).message).toBe('x: the engine gave no reason');
  });
});
