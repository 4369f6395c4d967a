/** More than Linux follows. */
const MAX_HOPS = 40;

/**
 * Whether a path leads to something of a tree, however many of its links it passes.
 * @param links the path of each link, and what it points to
 * @param has whether a path that passes no link is a file or folder of the tree
 */
export const staysInside = (
  path: string,
  links: ReadonlyMap<string, string>,
  has: (path: string) => boolean,
): boolean => {
  let rest = path.split('/');
  let hops = 0;
  const at: string[] = [];
  for (let part = rest.shift(); part !== undefined; part = rest.shift()) {
    if (part === '' || part === '.') continue;
    if (part === '..') {
      if (at.pop() === undefined) return false;
      continue;
    }
    at.push(part);
    const target = links.get(at.join('/'));
    if (target === undefined) continue;
    hops += 1;
    if (target.startsWith('/') || hops > MAX_HOPS) return false;
    at.pop();
    rest = [...target.split('/'), ...rest];
  }
  return at.length > 0 && has(at.join('/'));
};
