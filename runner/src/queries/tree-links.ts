/** More than Linux follows. */
const MAX_HOPS = 40;

/**
 * Maximum length of a path on Linux, in bytes, and maximum number of path components that are followed, including those
 * of links.
 */
const MAX_PATH_BYTES = 4096;
const MAX_PARTS = 256;

/**
 * Whether a path leads to an entry of a tree, through any number of its links. A path that is too long leads nowhere.
 * @param links the path of each link, and its target
 * @param has whether a path without links is a file or folder of the tree
 */
export const staysInside = (
  path: string,
  links: ReadonlyMap<string, string>,
  has: (path: string) => boolean,
): boolean => {
  let rest = path.split('/', MAX_PARTS + 1);
  let [hops, parts] = [0, 0];
  // The resolved path, after each component.
  const at: string[] = [];
  for (let part = rest.shift(); part !== undefined; part = rest.shift()) {
    parts += 1;
    if (parts > MAX_PARTS) return false;
    if (part === '' || part === '.') continue;
    if (part === '..') {
      if (at.pop() === undefined) return false;
      continue;
    }
    const here = [...at.slice(-1), part].join('/');
    if (here.length > MAX_PATH_BYTES) return false;
    const target = links.get(here);
    if (target === undefined) {
      at.push(here);
      continue;
    }
    hops += 1;
    if (target.startsWith('/') || hops > MAX_HOPS || Buffer.byteLength(target) > MAX_PATH_BYTES) return false;
    const ahead = target.split('/', MAX_PARTS + 1);
    // A hostile link of thousands of components, which leads through others like it, must not be joined first.
    if (parts + ahead.length + rest.length > MAX_PARTS) return false;
    rest = [...ahead, ...rest];
  }
  const end = at.at(-1);
  return end !== undefined && has(end);
};
