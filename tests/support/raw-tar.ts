import { Readable } from 'node:stream';
import { type Header, pack } from 'tar-stream';
import type { Container } from '../../src/engine/engine.ts';

/** One entry as an agent may have left it: any type, any name. */
export type RawEntry = Partial<Header> & { readonly name: string } & { readonly content?: string };

/** A tar that no careful packer would make: what stands in it is exactly what is given. */
export function rawTar(entries: readonly RawEntry[]): Readable {
  const tar = pack();
  for (const { content, ...header } of entries) tar.entry(header, content ?? '');
  tar.finalize();
  return Readable.from(tar as unknown as AsyncIterable<Uint8Array>);
}

/** A stopped container that gives the tars of some paths, as an engine would; nothing is anywhere else. */
export function stoppedContainer(
  tars: Readonly<Record<string, () => Readable>>,
): Pick<Container, 'get'> & Container {
  const get = async (path: string) => tars[path]?.();
  return { get } as unknown as Container;
}
