import type { ContentFile } from '../../model/task-content.ts';
import { callsIn, pythonSource } from './python-functions.ts';
import type { PythonLine } from './python-tokens.ts';
import type { Remark, TaskRule } from './task-rule.ts';

const NETWORK =
  /^(?:requests\.(?:get|post|put|head|request|Session)|urllib\.request\.(?:urlopen|urlretrieve)|urlopen|urlretrieve|httpx\.(?:get|post|request|Client|AsyncClient)|aiohttp\.ClientSession|socket\.create_connection|http\.client\.HTTPS?Connection)$/;
/** Addresses of another machine: a host without a dot, or one that is put in later, is the task's own. */
const FOREIGN = /\b(?:https?|wss?):\/\/(?!(?:localhost|127\.|0\.0\.0\.0|\[::1\]))[\w-]+\.[\w.-]+/;
const CLOCK = /^(?:(?:datetime\.)?(?:datetime|date)\.(?:now|today|utcnow)|pd\.Timestamp\.(?:now|today))$/;
const CHANCE =
  /^(?:random\.(?!seed|Random|getstate|setstate|SystemRandom)\w+|(?:np|numpy)\.random\.(?!seed|default_rng|RandomState|Generator|SeedSequence|PCG64)\w+)$/;
const SEEDED = /(?:^|\.)(?:seed|manual_seed)$/;
const UNSEEDED = /^(?:random\.Random|(?:np|numpy)\.random\.(?:default_rng|RandomState))$/;

/** A verdict that hangs on a server elsewhere is not the verifier's own. */
export const testReadsNetwork: TaskRule = {
  name: 'test-reads-network',
  check: ({ tests }) => [...pythonOf(tests).flatMap(networkRemarks), ...tests.flatMap(shellDownloads)],
};

/** What passes today fails next year. */
export const testDependsOnTime: TaskRule = {
  name: 'test-depends-on-time',
  check: ({ tests }) =>
    pythonOf(tests).flatMap((file) =>
      firstCall(file, CLOCK, {
        why: 'asks what time it is: the same workspace may get another verdict later',
        repair: 'compare with a date that is written down',
      }),
    ),
};

/** The same workspace may pass once and fail once. */
export const testDependsOnChance: TaskRule = {
  name: 'test-depends-on-chance',
  check: ({ tests }) =>
    pythonOf(tests).flatMap((file) => {
      const repair = 'seed the generator, or write the values down';
      const why = 'draws by chance without a seed: the same workspace may get another verdict';
      const calls = file.lines.flatMap(({ tokens }) => callsIn(tokens));
      if (calls.some(({ name }) => SEEDED.test(name))) return [];
      const drawn = firstCall(file, CHANCE, { why, repair });
      if (drawn.length > 0) return drawn;
      const bare = file.lines.find(({ tokens }) =>
        callsIn(tokens).some(({ name, at }) => UNSEEDED.test(name) && tokens[at + 1]?.text === ')'),
      );
      return bare === undefined ? [] : [warn(file, bare.line, { what: 'a generator', why, repair })];
    }),
};

/** Tests that hand something on to the next one depend on their order. */
export const testDependsOnOrder: TaskRule = {
  name: 'test-depends-on-order',
  check: ({ tests }) =>
    pythonOf(tests).flatMap((file) => {
      const line = file.lines.find(
        ({ tokens }) =>
          (tokens[0]?.text === 'global' && tokens[0].kind === 'name') ||
          /^@pytest\.mark\.(?:order|dependency|run)\b/.test(
            tokens
              .slice(0, 6)
              .map(({ text }) => text)
              .join(''),
          ),
      );
      if (line === undefined) return [];
      const why =
        'may hand something from one test to another: alone, or in another order, they would tell otherwise';
      const repair = 'let a fixture make what several tests need';
      const what = line.tokens
        .slice(0, 6)
        .map(({ text }) => text)
        .join(' ');
      return [{ ...warn(file, line.line, { what, why, repair }), severity: 'note' }];
    }),
};

interface PythonSource {
  readonly file: ContentFile;
  readonly lines: readonly PythonLine[];
}

function pythonOf(files: readonly ContentFile[]): PythonSource[] {
  return files.flatMap((file) => {
    const lines = pythonSource(file);
    return lines === undefined ? [] : [{ file, lines }];
  });
}

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
  return firstCall(source, NETWORK, ELSEWHERE);
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
  return [warn({ file }, at + 1, { what, ...ELSEWHERE })];
}

interface Said {
  readonly why: string;
  readonly repair: string;
}

function firstCall(source: PythonSource, pattern: RegExp, said: Said): Remark[] {
  for (const { tokens } of source.lines)
    for (const { name, at } of callsIn(tokens))
      if (pattern.test(name)) return [warn(source, tokens[at]?.line ?? 1, { what: `${name}()`, ...said })];
  return [];
}

function warn({ file }: { file: ContentFile }, line: number, said: Said & { what: string }): Remark {
  const { what, why, repair } = said;
  return { severity: 'warning', message: `${what} ${why}`, where: { file: file.hostPath, line }, repair };
}
