import { folderIn, type Variables } from '../image/agent-environment.ts';
import type { TaskImage } from '../image/image-store.ts';
import type { Owner } from './placement.ts';

/** The account an agent runs under: numbers for what is injected, and its home. */
export interface AgentUser extends Owner {
  readonly home: string;
}

/**
 * Resolves `user`, `user:group` or numbers against the image's own accounts; absent: the image's user, else root.
 * A number without an account has no home but `/`, as the engine has it. A HOME in its environment wins over the account's.
 */
export function agentUser(
  image: Pick<TaskImage, 'index' | 'info'>,
  wanted: string | undefined,
  variables: Variables,
): AgentUser {
  const account = accountOf(image, wanted);
  return { ...account, home: folderIn(variables, 'HOME') ?? account.home };
}

function accountOf(image: Pick<TaskImage, 'index' | 'info'>, wanted: string | undefined): AgentUser {
  const [name = '', group] = (wanted ?? image.info.user).split(':');
  const account = image.index.users.find((user) => user.name === name || String(user.uid) === name);
  if (account !== undefined) {
    return { uid: account.uid, gid: numberOr(group, account.gid), home: account.home };
  }
  if (name === '' || name === 'root' || name === '0')
    return { uid: 0, gid: numberOr(group, 0), home: '/root' };
  const uid = numberOr(name, 0);
  return { uid, gid: numberOr(group, 0), home: '/' };
}

function numberOr(text: string | undefined, fallback: number): number {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : fallback;
}
