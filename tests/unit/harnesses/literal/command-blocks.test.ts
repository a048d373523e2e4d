import { describe, expect, it } from 'vitest';
import { commandBlocks } from '../../../../harnesses/literal/src/command-blocks.ts';

describe('command blocks', () => {
  it('are the fenced sh and bash blocks, in order', () => {
    const text = '# A\n```sh\none\n\ntwo\n```\ntext\n~~~bash\nthree\n~~~\n```python\nno\n```\n```\nno\n```\n';
    expect(commandBlocks(text)).toEqual(['one\n\ntwo', 'three']);
  });

  it('are not those marked as examples, and not console output', () => {
    expect(commandBlocks('```sh example\nno\n```\n```console\n$ no\n```\n```bash no-run\nno\n```\n')).toEqual(
      [],
    );
  });

  it('lose the indent of their fence and keep their own', () => {
    expect(commandBlocks('1. Step\n   ```sh\n   if true; then\n     echo x\n   fi\n   ```\n')).toEqual([
      'if true; then\n  echo x\nfi',
    ]);
  });

  it('end at a fence of the same kind that is long enough', () => {
    expect(commandBlocks('````sh\necho "```"\n```\n````\n')).toEqual(['echo "```"\n```']);
  });

  it('within a block of another language are text', () => {
    expect(commandBlocks('````markdown\n```sh\nno\n```\n````\n```sh\nyes\n```\n')).toEqual(['yes']);
  });

  it('that are never closed are not run', () => {
    expect(commandBlocks('```sh\nrm -r x\n')).toEqual([]);
  });

  it('may have CRLF line ends', () => {
    expect(commandBlocks('```sh\r\none\r\ntwo\r\n```\r\n')).toEqual(['one\ntwo']);
  });
});
