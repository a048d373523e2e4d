import { describe, expect, it } from 'vitest';
import { shadowsIn } from '../../../src/run/python-stand-ins.ts';
import { indexOf } from './image-of.ts';

const index = indexOf({
  '/usr/lib/python3.11/json/__init__.py': '',
  '/usr/lib/python3.11/tempfile.py': '',
  '/usr/lib/python3.11/calendar.py': '',
});
const shadows = (added: string[], instruction = 'Write out/answer.txt') =>
  shadowsIn('/workspace', { added, index, instruction });

describe('shadowsIn', () => {
  it.each([
    '/workspace/tempfile.py',
    '/workspace/pytest.py',
    '/workspace/tempfile.cpython-311-x86_64-linux-gnu.so',
  ])('names %s: a Python started there would take it for its own', (path) => {
    expect(shadows([path])).toEqual([path]);
  });

  it('names a package of such a name, also one that may be a link', () => {
    expect(shadows(['/workspace/json', '/workspace/json/__init__.py'])).toEqual(['/workspace/json']);
    expect(shadows(['/workspace/json'])).toEqual(['/workspace/json']);
  });

  it.each([
    '/workspace/main.py',
    '/workspace/src/tempfile.py',
    '/workspace/tempfile.txt',
    '/workspace/conftest.py',
  ])('leaves %s alone', (path) => {
    expect(shadows([path])).toEqual([]);
  });

  it('leaves a folder of data alone, which Python finds only where there is no module', () => {
    expect(shadows(['/workspace/json', '/workspace/json/a.json'])).toEqual([]);
  });

  it('leaves work alone that was asked for by name', () => {
    expect(shadows(['/workspace/calendar.py'], 'Write /workspace/calendar.py')).toEqual([]);
  });
});
