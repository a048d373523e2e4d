import type { ContentFile } from '../../model/task-content.ts';
import { type PythonSource, pythonCalls, pythonSources, warnAt } from './python-calls.ts';
import type { Remark, TaskRule } from './task-rule.ts';

const NETWORK =
  /^(?:requests\.(?:get|post|put|head|request|Session)|urllib\.request\.(?:urlopen|urlretrieve)|httpx\.(?:get|post|request|Client|AsyncClient)|aiohttp\.ClientSession|socket\.create_connection|http\.client\.HTTPS?Connection)$/;
/** Addresses of another machine: a host without a dot, or one that is put in later, is the task's own. */
const FOREIGN = /\b(?:https?|wss?):\/\/(?!(?:localhost|127\.|0\.0\.0\.0|\[::1\]))[\w-]+\.[\w.-]+/;

/** A verdict that hangs on a server elsewhere is not the verifier's own. */
export const testReadsNetwork: TaskRule = {
  name: 'test-reads-network',
  check: ({ tests }) => [...pythonSources(tests).flatMap(networkRemarks), ...tests.flatMap(shellDownloads)],
};

const ELSEWHERE = {
  why: 'reads the network: the verdict then hangs on a machine elsewhere',
  repair: 'put what it reads into tests/, with a note of its source',
};

/** Only where a file names a machine elsewhere: an address that is put together may be the task's own service. */
function networkRemarks(source: PythonSource): Remark[] {
  const isForeign = source.lines.some(({ tokens }) =>
    tokens.some(({ kind, text }) => kind === 'string' && FOREIGN.test(text)),
  );
  if (!isForeign) return [];
  const call = pythonCalls(source).find(({ name }) => NETWORK.test(name));
  return call === undefined ? [] : [warnAt(source, call.line, { what: `${call.written}()`, ...ELSEWHERE })];
}

/** Downloads of a test script, installers apart: these have a rule of their own. */
function shellDownloads(file: ContentFile): Remark[] {
  if (!file.path.endsWith('.sh') || file.text === undefined) return [];
  const lines = file.text.split(/\r?\n/);
  const at = lines.findIndex(
    (line) =>
      /(?:^|[\s;&|(])(?:curl|wget)\s/.test(line) &&
      FOREIGN.test(line) &&
      !/^\s*#/.test(line) &&
      !/\|\s*(?:sudo\s+)?(?:\w+=\S+\s+)*(?:ba|z)?sh\b/.test(line),
  );
  if (at < 0) return [];
  const what = /curl|wget/.exec(lines[at] ?? '')?.[0] ?? '';
  return [warnAt({ file }, at + 1, { what, ...ELSEWHERE })];
}
