import { describe, expect, test } from 'vitest';
import { engineAction, type MachineState } from '../../../scripts/engine-action.ts';

const bareRoot: MachineState = { isRoot: true, hasApt: true, isInstalled: false, isRunning: false };

describe('engineAction, on a machine where no engine answers', () => {
  test('installs Docker as root where there is apt', () => {
    expect(engineAction(bareRoot)).toEqual({ kind: 'install' });
  });

  test('only starts a daemon that is installed', () => {
    expect(engineAction({ ...bareRoot, isInstalled: true })).toEqual({ kind: 'start' });
  });

  test('never starts a second daemon beside one that runs and does not answer yet', () => {
    expect(engineAction({ ...bareRoot, isInstalled: true, isRunning: true })).toEqual({ kind: 'wait' });
  });

  test('touches nothing when DOCKER_HOST names an engine that is down', () => {
    const action = engineAction({ ...bareRoot, dockerHost: 'tcp://build-host:2375' });
    expect(action).toMatchObject({
      kind: 'explain',
      message: expect.stringContaining('tcp://build-host:2375'),
    });
  });

  test('tells a user whom the socket refuses how to be let in', () => {
    const action = engineAction({
      ...bareRoot,
      isRoot: false,
      isRunning: true,
      refused: 'unix:///var/run/docker.sock',
    });
    expect(action).toMatchObject({ kind: 'explain', repair: expect.stringContaining('usermod -aG docker') });
  });

  test.each([
    { isInstalled: true, hasApt: true, repair: 'systemctl start docker' },
    { isInstalled: false, hasApt: true, repair: 'apt-get install docker.io' },
    { isInstalled: false, hasApt: false, repair: 'install Docker' },
  ])('tells a user without root what to do: $repair', ({ repair, ...machine }) => {
    const action = engineAction({ ...machine, isRoot: false, isRunning: false });
    expect(action).toMatchObject({ kind: 'explain', repair: expect.stringContaining(repair) });
  });

  test('tells root on a system without apt to install an engine', () => {
    const action = engineAction({ ...bareRoot, hasApt: false });
    expect(action).toMatchObject({ kind: 'explain', message: expect.stringContaining('no apt-get') });
  });
});
