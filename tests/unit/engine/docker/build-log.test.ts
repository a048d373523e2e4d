import { describe, expect, it } from 'vitest';
import { BuildLog } from '../../../../src/engine/docker/build-log.ts';

/** What a Docker 20.10 engine sends for a failing second step. */
const FAILING = [
  { stream: 'Step 1/2 : FROM base' },
  { stream: '\n' },
  { stream: ' ---> 58d088046ec7\n' },
  { stream: 'Step 2/2 : RUN make' },
  { stream: '\n' },
  { stream: ' ---> Running in 0123456789ab\n' },
  { stream: 'cc -o x x.c\nx.c:1:1: error: ' },
  { stream: 'no such thing\n' },
  { stream: 'Removing intermediate container 0123456789ab\n' },
  {
    errorDetail: { code: 2, message: "The command '/bin/sh -c make' returned a non-zero code: 2" },
    error: "The command '/bin/sh -c make' returned a non-zero code: 2",
  },
];

describe('the log of a build', () => {
  it('explains a failure by its step, the engine reason and the output of that step', () => {
    const log = new BuildLog();
    for (const item of FAILING) log.add(item);
    expect(log.succeeded).toBe(false);
    expect(log.explain(log.error ?? '')).toBe(
      [
        "Step 2/2 : RUN make: The command '/bin/sh -c make' returned a non-zero code: 2",
        'Last output of the step:',
        '  cc -o x x.c',
        '  x.c:1:1: error: no such thing',
      ].join('\n'),
    );
  });

  it('has succeeded when the engine names an image or says so, and not before', () => {
    const named = new BuildLog();
    named.add({ stream: 'Step 1/1 : FROM base\n' });
    expect(named.succeeded).toBe(false);
    named.add({ aux: { ID: 'sha256:1' } });
    expect(named).toMatchObject({ succeeded: true, imageId: 'sha256:1' });
    const told = new BuildLog();
    told.add({ stream: 'Successfully built 58d088046ec7\n' });
    expect(told.succeeded).toBe(true);
  });

  it('has not succeeded when an error follows a result', () => {
    const log = new BuildLog();
    log.add({ aux: { ID: 'sha256:1' } });
    log.add({ error: 'no space left on device' });
    expect(log.succeeded).toBe(false);
  });

  it('keeps the last twelve lines, the last state of a progress line, and no more than 2,000 characters of each', () => {
    const log = new BuildLog();
    for (let line = 1; line <= 100; line++) log.add({ stream: `line ${line}\n` });
    log.add({ stream: ` 10%\r 99%\r100%\r\n${'x'.repeat(9_000)}\n` });
    const lines = log.explain('reason').split('\n').slice(2);
    expect(lines).toHaveLength(12);
    expect(lines[0]).toBe('  line 91');
    expect(lines[10]).toBe('  100%');
    expect(lines[11]).toHaveLength(2_002);
  });
});
