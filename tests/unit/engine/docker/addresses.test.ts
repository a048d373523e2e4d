import { describe, expect, it } from 'vitest';
import { engineAddresses } from '../../../../src/engine/docker/addresses.ts';

const addresses = (env: Record<string, string | undefined>) =>
  engineAddresses(env).map(({ address }) => address);

describe('the places where an engine is looked for', () => {
  it('are the system socket, then those of rootless engines, Docker Desktop and Podman', () => {
    expect(addresses({ HOME: '/home/ada', XDG_RUNTIME_DIR: '/run/user/1000' })).toEqual([
      'unix:///var/run/docker.sock',
      'unix:///run/user/1000/docker.sock',
      'unix:///home/ada/.docker/run/docker.sock',
      'unix:///home/ada/.docker/desktop/docker.sock',
      'unix:///run/user/1000/podman/podman.sock',
      'unix:///run/podman/podman.sock',
    ]);
  });

  it('are the system ones alone where there is neither a home nor a runtime folder', () => {
    expect(addresses({ HOME: '' })).toEqual([
      'unix:///var/run/docker.sock',
      'unix:///run/podman/podman.sock',
    ]);
  });

  it('are DOCKER_HOST and no other once it is set', () => {
    expect(addresses({ DOCKER_HOST: 'tcp://engine:2375', HOME: '/home/ada' })).toEqual(['tcp://engine:2375']);
  });

  it('are the usual ones when DOCKER_HOST is set to nothing', () => {
    expect(addresses({ DOCKER_HOST: ' ' })).toContain('unix:///var/run/docker.sock');
  });
});
