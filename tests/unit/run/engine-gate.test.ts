import { describe, expect, it } from 'vitest';
import { EngineError } from '../../../src/engine/engine.ts';
import { EngineGate } from '../../../src/run/engine-gate.ts';
import { makeFakeEngine } from '../../fakes/fake-engine.ts';

const never = new AbortController().signal;

function gateWith(lacks: (string | undefined)[] = [], patienceMs = 60_000) {
  const engine = makeFakeEngine();
  const said: string[] = [];
  const gate = new EngineGate({
    engine,
    say: (message) => said.push(message),
    patienceMs,
    fullPauseMs: 0,
    lack: async () => (lacks.length > 1 ? lacks.shift() : lacks[0]),
  });
  return { engine, gate, said };
}

describe('the gate before each attempt', () => {
  it('is open where there is an engine and room', async () => {
    const { gate, said } = gateWith();
    expect([await gate.pass(never), said]).toEqual([undefined, []]);
  });

  it('is shut while a disk has too little room, says which, and opens when there is some', async () => {
    const { gate, said } = gateWith(['the disk of the engine has 3 MiB left', 'still', undefined]);
    expect(await gate.pass(never)).toBeUndefined();
    expect(said).toEqual([
      'the disk of the engine has 3 MiB left: no trial is started until there is room (docker system df shows what takes it)',
      'trials are started again: there may be room now',
    ]);
  });

  it('is shut after the engine called its disk full, for all who come', async () => {
    const { gate, said } = gateWith();
    gate.full('commit: no space left on device', never);
    expect(await Promise.all([gate.pass(never), gate.pass(never)])).toEqual([undefined, undefined]);
    expect(said.length).toBeLessThanOrEqual(2);
  });

  it('stays shut for good where patience runs out, with the reason', async () => {
    const { gate } = gateWith(['full'], 5);
    expect(await gate.pass(never)).toMatchObject({
      kind: 'no-space',
      message: expect.stringContaining('full'),
    });
    const away = gateWith([], 5);
    for (let time = 0; time < 50; time++)
      away.engine.failNext('info', new EngineError('info', 'unreachable', 'nobody'));
    away.gate.lost(never);
    expect(await away.gate.pass(never)).toMatchObject({ kind: 'unreachable' });
  });

  it('lets go of those who wait when the run is stopped', async () => {
    const stop = new AbortController();
    const { gate } = gateWith(['full']);
    const passed = gate.pass(stop.signal);
    stop.abort();
    expect(await passed).toBeUndefined();
  });
});
