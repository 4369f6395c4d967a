/** Longer lines are left to the runner, which refuses them. */
const MAX_LINE = 2000;

/** A version as in `>=2.19,<3`. */
const VERSION = '(?:===|[=~!<>]=|[<>]) ?[A-Za-z0-9.*+!_-]+';

/** The name of a package with extras and versions, as pip reads it. Spaces are single here. */
const PACKAGE = new RegExp(
  `^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])? ?(?:\\[[A-Za-z0-9._, -]*\\])? ?\\(?(?:${VERSION}(?: ?, ?${VERSION})*)?,? ?\\)?$`,
);

/** Options, addresses, paths and variables. Only the runner and pip can check them. */
const IS_OTHER = /^[-.~$]|[/@\\]|\$\{|\.(?:whl|zip|tgz|tar\.\w+)$/i;

/** The first line that is no requirement, such as `ansible-core=2.19`; undefined if pip can read all of them. */
export const wrongRequirement = (text: string): string | undefined =>
  text
    .replace(/\\\r?\n/g, ' ')
    .split(/\r?\n/)
    .map((line) =>
      line
        .replace(/(^|\s)#.*$/, '')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .find((line) => {
      const [name = ''] = line.split(/ ?;| --/, 1);
      return line !== '' && line.length <= MAX_LINE && !IS_OTHER.test(name) && !PACKAGE.test(name);
    });
