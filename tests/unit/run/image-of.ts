import { createHash } from 'node:crypto';
import type { Container } from '../../../src/engine/engine.ts';
import { type ImageIndex, makeImageIndex } from '../../../src/image/image-tree.ts';
import { type FakeFiles, type FilesInput, tarOf, writeFiles } from '../../fakes/fake-files.ts';

/** The index of an image with these files, as a real one would be read. */
export function indexOf(files: FilesInput): ImageIndex {
  const entries = [...writeFiles(new Map(), files)].map(
    ([path, { kind, mode, uid, gid, content, target }]) => {
      const digest = `sha256:${createHash('sha256').update(content).digest('hex')}`;
      const more = kind === 'file' ? { digest } : kind === 'link' && target !== undefined ? { target } : {};
      return [path, { kind, mode, uid, gid, size: content.byteLength, ...more }] as const;
    },
  );
  return makeImageIndex('sha256:0', new Map(entries), []);
}

/** A stopped container with these files, that counts what it is asked for. */
export interface StoppedContainer extends Pick<Container, 'get'> {
  readonly files: FakeFiles;
  readonly asked: string[];
}

/** Makes one. */
export function stopped(files: FilesInput): StoppedContainer {
  const all = writeFiles(new Map(), files);
  const asked: string[] = [];
  return {
    files: all,
    asked,
    get: async (path) => {
      asked.push(path);
      return tarOf(all, path);
    },
  };
}
