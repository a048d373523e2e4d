import { describe, expect, test } from 'vitest';
import { parseDockerfile } from '../../../src/image/dockerfile.ts';

function parsed(text: string) {
  const result = parseDockerfile('Dockerfile', text);
  if (!result.ok) throw new Error(result.error.map(({ message }) => message).join('; '));
  return result.value;
}

function problems(text: string) {
  const result = parseDockerfile('tasks/t/environment/Dockerfile', text);
  return result.ok ? [] : result.error;
}

describe('parseDockerfile', () => {
  test('reads stages, their names in any case, platforms and ARGs before the first FROM', () => {
    const { stages } = parsed(`ARG RELEASE=24.04
ARG FULL=ubuntu:\${RELEASE}
from --platform=linux/amd64 \${FULL} As Builder
FROM builder
FROM scratch
`);
    expect(
      stages.map(({ image, name, parent, platform, line }) => [image, name, parent, platform, line]),
    ).toEqual([
      ['ubuntu:24.04', 'builder', undefined, 'linux/amd64', 3],
      ['builder', undefined, 0, undefined, 4],
      ['scratch', undefined, undefined, undefined, 5],
    ]);
  });

  test('gives the exact place of each word, whatever stands between them', () => {
    const text = `FROM a
cOpY --chown=1:2 skills \\
   # skills in a comment, and "quotes"

   data.csv \\
   /x/
`;
    const [copy] = parsed(text).stages[0]?.instructions ?? [];
    expect(copy?.keyword).toBe('COPY');
    expect(copy?.words.map(({ range }) => text.slice(range.start, range.end))).toEqual([
      'skills',
      'data.csv',
      '/x/',
    ]);
    expect(copy?.flags.map(({ name, value }) => [name, value])).toEqual([['chown', '1:2']]);
  });

  test('keeps the spaces of the JSON form and tells it from a shell test in brackets', () => {
    const text = `FROM a
COPY ["a file.txt", \\
  # a comment with "quotes"
  "skills/x", "/to here/"]
RUN [ -f /x ] && echo "y"
`;
    const [copy, run] = parsed(text).stages[0]?.instructions ?? [];
    expect(copy?.words.map((word) => word.text)).toEqual(['a file.txt', 'skills/x', '/to here/']);
    expect(copy?.words.map(({ range }) => text.slice(range.start, range.end))).toEqual([
      '"a file.txt"',
      '"skills/x"',
      '"/to here/"',
    ]);
    expect([copy?.json, run?.json]).toEqual([true, false]);
  });

  test('honours another escape character and Windows line ends', () => {
    const [run] =
      parsed('# escape=`\r\nFROM a\r\nRUN one `\r\n  # between\r\n  two\r\n').stages[0]?.instructions ?? [];
    expect([run?.argumentText, run?.line]).toEqual(['one two', 3]);
  });

  test('leaves comments between continued lines out of a command', () => {
    const [run] = parsed('FROM a\nRUN one && \\\n  # skills/alpha\n  two\n').stages[0]?.instructions ?? [];
    expect(run?.argumentText).toBe('one && two');
  });

  test.each([
    ['RUN <<EOF\necho hi\nEOF\n', 2, /here-document/],
    ['RUN cat <<-"END" > /x\nhi\nEND\n', 2, /here-document/],
    ['COPY <<EOF /x\nhi\nEOF\n', 2, /here-document/],
    ['RUN --mount=type=cache,target=/x true\n', 2, /--mount needs BuildKit/],
    ['COPY --chmod=755 a /x\n', 2, /--chmod needs BuildKit/],
    ['COPY --link a /x\n', 2, /--link needs BuildKit/],
    ['COPY a\n', 2, /a source and a destination|at least one source/],
    ['FETCH a\n', 2, /unknown instruction FETCH/],
  ])('tells before any build that the builder cannot do %j', (line, at, message) => {
    const [problem] = problems(`FROM a\n${line}`);
    expect(problem?.where).toEqual({ file: 'tasks/t/environment/Dockerfile', line: at });
    expect(problem?.message).toMatch(message);
  });

  test.each([
    ['RUN cat <<< "text"'],
    ['RUN echo $((1<<2))'],
    ['RUN echo "a << b"'],
    ['RUN python3 -c "print(1 <<3)"'],
  ])('takes %j for no here-document', (line) => {
    expect(problems(`FROM a\n${line}\n`)).toEqual([]);
  });

  test('swallows no instruction after a `<<` that is no here-document', () => {
    const { stages } = parsed('FROM a\nRUN echo "a << b" && cat <<< c\nCOPY skills /x\n');
    expect(stages[0]?.instructions.map(({ keyword, line }) => [keyword, line])).toEqual([
      ['RUN', 2],
      ['COPY', 3],
    ]);
  });

  test('tells everything at once', () => {
    expect(
      problems('FROM a\nRUN <<A\nx\nA\nCOPY --chmod=1 a b\nNONE x\n').map(({ where }) => where?.line),
    ).toEqual([2, 5, 6]);
  });

  test.each([
    ['', 'the Dockerfile has no FROM'],
    ['# only a comment\nARG A=1\n', 'the Dockerfile has no FROM'],
    ['RUN true\nFROM a\n', 'RUN stands before the first FROM'],
    ['FROM\n', 'FROM names no image'],
  ])('refuses %j', (text, message) => {
    expect(problems(text).map((problem) => problem.message)).toEqual([message]);
  });
});
