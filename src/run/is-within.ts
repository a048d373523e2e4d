/** True for a folder itself and for everything below it. Both are absolute, without a slash at the end. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);
}
