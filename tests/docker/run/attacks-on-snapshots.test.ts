import { expect, it } from 'vitest';
import { holdAttacks } from '../../attacks/hold-attacks.ts';

holdAttacks('agents that attack a verifier in a snapshot of their own file system', 'snapshot', (run) => {
  it('accuses nobody who only touched the image’s files', () => {
    const codes = run()
      .record('honest-touch', 'root')
      .notices.map(({ code }) => code);
    expect(codes).toEqual(['volumes-copied']);
  });
});
