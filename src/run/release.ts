import type { Container, Engine, ImageId } from '../engine/engine.ts';

type LeftBehind = (what: string) => void;

/** Removes a container when its scope ends. A removal that fails is told and changes nothing else. */
export function releasing(container: Container, leftBehind: LeftBehind): AsyncDisposable {
  return disposable(() => container.remove(), `container ${container.name}`, leftBehind);
}

/** Removes a temporary image when its scope ends, under a time budget of its own. */
export function releasingImage(engine: Engine, image: ImageId, leftBehind: LeftBehind): AsyncDisposable {
  return disposable(
    () => engine.removeImage(image, AbortSignal.timeout(60_000)),
    `image ${image}`,
    leftBehind,
  );
}

/** Removes once, however often it is disposed: what stays is named once. */
function disposable(remove: () => Promise<void>, name: string, leftBehind: LeftBehind): AsyncDisposable {
  let removed: Promise<void> | undefined;
  return {
    [Symbol.asyncDispose]: () => {
      removed ??= remove().catch((error: unknown) =>
        leftBehind(`${name}: ${error instanceof Error ? error.message : error}`),
      );
      return removed;
    },
  };
}
