/** More than Linux follows. */
const MAX_HOPS = 40;

/** The longest path that Linux takes, in bytes, and most parts of one, of its links too, that are followed. */
const LONGEST_PATH = 4096;
const MAX_PARTS = 256;

/**
 * Whether a path leads to something of a tree, however many of its links it passes. What is too long to be followed leads
 * nowhere.
 * @param links the path of each link, and what it points to
 * @param has whether a path that passes no link is a file or folder of the tree
 */
export const staysInside = (
  path: string,
  links: ReadonlyMap<string, string>,
  has: (path: string) => boolean,
): boolean => {
  let rest = path.split('/');
  let [hops, parts] = [0, 0];
  // Where the way has led, behind each of the folders above it.
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
    if (here.length > LONGEST_PATH) return false;
    const target = links.get(here);
    if (target === undefined) {
      at.push(here);
      continue;
    }
    hops += 1;
    if (target.startsWith('/') || hops > MAX_HOPS || Buffer.byteLength(target) > LONGEST_PATH) return false;
    rest = [...target.split('/'), ...rest];
  }
  const end = at.at(-1);
  return end !== undefined && has(end);
};
