import { digestValue } from '../../src/base/digest.ts';
import type { ImageId, ImageInfo } from '../../src/engine/engine.ts';
import { type FakeFiles, type FilesInput, writeFiles } from './fake-files.ts';

/** What a test writes of an image; everything has a default. */
export interface FakeImageInput {
  readonly files?: FilesInput;
  readonly env?: readonly string[];
  readonly user?: string;
  readonly workingDir?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly entrypoint?: readonly string[];
  readonly command?: readonly string[];
  readonly volumes?: readonly string[];
  readonly platform?: string;
}

/** An image of the fake engine. */
export interface FakeImage extends ImageInfo {
  readonly files: FakeFiles;
  readonly createdAt: string;
}

/** Folders that every image has. */
const COMMON_FOLDERS = ['/bin/', '/etc/', '/home/', '/opt/', '/root/', '/tmp/', '/usr/', '/var/'];

/** Makes an image. Equal content gives equal ids, as with a build cache. */
export function makeFakeImage(input: FakeImageInput, tags: readonly string[]): FakeImage {
  const files = writeFiles(new Map(), Object.fromEntries(COMMON_FOLDERS.map((path) => [path, ''])));
  if (input.workingDir !== undefined) writeFiles(files, { [`${input.workingDir}/`]: '' });
  return imageOf(writeFiles(files, input.files ?? {}), { ...input, tags });
}

/** An image of given files. */
export function imageOf(
  files: FakeFiles,
  config: Omit<FakeImageInput, 'files'> & { readonly tags: readonly string[]; readonly layers?: number },
): FakeImage {
  const plain = {
    labels: config.labels ?? {},
    platform: config.platform ?? 'linux/amd64',
    user: config.user ?? '',
    workingDir: config.workingDir ?? '/',
    env: config.env ?? ['PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'],
    entrypoint: config.entrypoint ?? [],
    command: config.command ?? [],
    volumes: config.volumes ?? [],
  };
  const content = [...files].map(([path, file]) => [
    path,
    { ...file, content: file.content.toString('base64') },
  ]);
  return {
    ...plain,
    id: digestValue([plain, content.sort()]) as ImageId,
    tags: config.tags,
    sizeBytes: [...files.values()].reduce((sum, file) => sum + file.content.byteLength, 0),
    layers: config.layers ?? 1,
    files,
    createdAt: '2026-01-01T00:00:00.000Z',
  };
}
