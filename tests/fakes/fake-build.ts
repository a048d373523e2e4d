import { type BuildSpec, EngineError } from '../../src/engine/engine.ts';
import { cleanPath, type FakeFiles, isWithin, setFile, untar, writeFiles } from './fake-files.ts';
import { type FakeImage, imageOf } from './fake-image.ts';

interface Draft {
  files: FakeFiles;
  env: string[];
  user: string;
  workingDir: string;
  command: readonly string[];
  entrypoint: readonly string[];
  volumes: readonly string[];
  layers: number;
}

/**
 * Builds as an engine does, as far as tests of a run need it: FROM, COPY and ADD of files and folders, ENV, USER,
 * WORKDIR, CMD and ENTRYPOINT in JSON form. RUN does nothing, but for `RUN exit <n>`, which fails.
 */
export async function fakeBuild(
  spec: BuildSpec,
  find: (reference: string) => FakeImage | undefined,
): Promise<FakeImage> {
  const context: FakeFiles = new Map(await untar(spec.context()));
  const dockerfile = context.get(cleanPath(spec.dockerfile));
  if (dockerfile === undefined) throw failed(spec, `Cannot locate specified Dockerfile: ${spec.dockerfile}`);
  let draft: Draft | undefined;
  const steps = instructions(dockerfile.content.toString('utf8'));
  for (const [index, step] of steps.entries()) {
    const [word = '', rest = ''] = [step.split(/\s+/, 1)[0], step.replace(/^\S+\s*/, '')];
    spec.onOutput?.(`Step ${index + 1}/${steps.length} : ${step}\n`);
    if (word.toUpperCase() === 'FROM')
      draft = from(find(rest.split(/\s+/)[0] ?? ''), () => failed(spec, `pull access denied for ${rest}`));
    else if (draft === undefined) throw failed(spec, `no build stage in current context`);
    else
      apply(draft, { word: word.toUpperCase(), rest, context }, (reason) =>
        failed(spec, `Step ${index + 1}/${steps.length} : ${step}: ${reason}`),
      );
  }
  if (draft === undefined) throw failed(spec, 'file with no instructions');
  return imageOf(draft.files, { ...draft, labels: spec.labels, tags: [spec.tag] });
}

function failed(spec: BuildSpec, reason: string): EngineError {
  return new EngineError(`build ${spec.tag}`, 'build-failed', reason);
}

function instructions(text: string): string[] {
  return text
    .replaceAll(/\\\r?\n/g, ' ')
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#') && !/^ARG\b/i.test(line));
}

function from(base: FakeImage | undefined, missing: () => EngineError): Draft {
  if (base === undefined) throw missing();
  const { user, workingDir, env, command, entrypoint, volumes, layers } = base;
  return {
    files: new Map(base.files),
    user,
    workingDir,
    env: [...env],
    command,
    entrypoint,
    volumes,
    layers,
  };
}

interface Step {
  readonly word: string;
  readonly rest: string;
  readonly context: FakeFiles;
}

function apply(draft: Draft, step: Step, fail: (reason: string) => EngineError): void {
  const { word, rest } = step;
  draft.layers += 1;
  if (word === 'USER') draft.user = rest;
  else if (word === 'ENV') draft.env.push(rest.includes('=') ? rest : rest.replace(/\s+/, '='));
  else if (word === 'CMD') draft.command = JSON.parse(rest) as string[];
  else if (word === 'ENTRYPOINT') draft.entrypoint = JSON.parse(rest) as string[];
  else if (word === 'WORKDIR') {
    draft.workingDir = resolvePath(draft, rest);
    writeFiles(draft.files, { [`${draft.workingDir}/`]: '' });
  } else if (word === 'COPY' || word === 'ADD') copy(draft, step, fail);
  else if (word === 'RUN' && /^exit [1-9]/.test(rest)) {
    throw fail(`The command '/bin/sh -c ${rest}' returned a non-zero code: ${rest.slice(5)}`);
  }
}

function copy(draft: Draft, { rest, context }: Step, fail: (reason: string) => EngineError): void {
  const words = argumentsOf(rest);
  const last = words.at(-1) ?? '';
  const target = resolvePath(draft, last);
  const isFolder = last.endsWith('/') || words.length > 2 || draft.files.get(target)?.kind === 'folder';
  for (const word of words.slice(0, -1)) {
    const source = cleanPath(word);
    const found = [...context].filter(([path]) => isWithin(path, source));
    if (found.length === 0 && source !== '/') throw fail(`${word}: no such file or directory`);
    const base = copyBase(source, context.get(source)?.kind === 'file' && isFolder);
    for (const [path, file] of found) {
      setFile(draft.files, cleanPath(`${target}/${path.slice(base.length)}`), { ...file, uid: 0, gid: 0 });
    }
  }
}

/** The part of a source's path that is not repeated below the target. */
function copyBase(source: string, keepsName: boolean): string {
  if (source === '/') return '';
  return keepsName ? source.slice(0, source.lastIndexOf('/')) : source;
}

function argumentsOf(rest: string): readonly string[] {
  if (rest.startsWith('[')) return JSON.parse(rest) as string[];
  return rest.split(/\s+/).filter((word) => !word.startsWith('--'));
}

function resolvePath(draft: Draft, path: string): string {
  return cleanPath(path.startsWith('/') ? path : `${draft.workingDir}/${path}`);
}
