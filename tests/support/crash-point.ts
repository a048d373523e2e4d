import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

type Call = (...values: unknown[]) => unknown;
type Members = Record<string, Call>;

/**
 * Ends this process with SIGKILL at its n-th changing file operation: before it, or in the case of a write halfway through it.
 * What kill -9 can do at any moment is thus done at every moment, repeatably. Returns how many there have been.
 */
export async function crashAt(operation: number): Promise<() => number> {
  const half = fs.writeSync;
  let count = 0;
  const die = () => {
    process.kill(process.pid, 'SIGKILL');
    for (;;); // The signal is on its way; nothing more may happen.
  };
  const counted = (members: Members, name: string, lastWords: Call = () => undefined) => {
    const original = members[name] as Call;
    members[name] = function (this: unknown, ...values: unknown[]) {
      if (++count === operation) {
        lastWords.apply(this, values);
        die();
      }
      return original.apply(this, values);
    };
  };
  const halfOf = (file: unknown, content: unknown) => {
    const bytes = Buffer.from(content as string);
    half(file as number, bytes.subarray(0, Math.floor(bytes.length / 2)));
  };
  const handle = await fs.promises.open('/dev/null', 'r');
  const handles = Object.getPrototypeOf(handle) as Members;
  await handle.close();
  const promises = fs.promises as unknown as Members;
  for (const name of ['open', 'rename', 'rm', 'mkdir', 'link', 'writeFile']) counted(promises, name);
  for (const name of ['sync', 'truncate']) counted(handles, name);
  counted(handles, 'writeFile', function (this: unknown, content) {
    halfOf((this as { fd: number }).fd, content);
  });
  const sync = fs as unknown as Members;
  for (const name of ['openSync', 'fsync', 'ftruncateSync']) counted(sync, name);
  counted(sync, 'writeSync', halfOf);
  syncBuiltinESMExports();
  return () => count;
}
