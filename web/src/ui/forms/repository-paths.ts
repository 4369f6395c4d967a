/** Folders whose YAML files are parts of playbooks. */
const PARTS =
  /(^|\/)(\.[^/]+|roles|tasks|handlers|vars|defaults|meta|group_vars|host_vars|molecule|collections|files|templates)\//;

const byDepth = (a: string, b: string): number => a.split('/').length - b.split('/').length || (a < b ? -1 : 1);

const INVENTORY = /(^|\/)(inventor(y|ies)|hosts?)([._/-]|$)/i;

/** The files that are probably playbooks, top-level ones first. */
export const playbooksOf = (files: readonly string[]): string[] =>
  files
    .filter(
      (path) =>
        /\.ya?ml$/i.test(path) &&
        !PARTS.test(path) &&
        !INVENTORY.test(path) &&
        !/(^|\/)(requirements|\.[^/]*)\.ya?ml$/i.test(path),
    )
    .toSorted(byDepth);

/** The files that can be inventories, and their folders. Paths with a typical name come first. */
export const inventoriesOf = (files: readonly string[]): string[] => {
  const possible = files.filter((path) => !PARTS.test(path) && /(\.(ini|ya?ml|json|py|sh)|(^|\/)[^./]+)$/i.test(path));
  const named = possible.filter((path) => INVENTORY.test(path));
  const folders = named.filter((path) => path.includes('/')).map((path) => path.slice(0, path.lastIndexOf('/')));
  const likely = [...new Set([...named, ...folders])].toSorted(byDepth);
  return [...likely, ...possible.filter((path) => !INVENTORY.test(path)).toSorted(byDepth)];
};
