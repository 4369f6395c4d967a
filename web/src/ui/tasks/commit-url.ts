/** Hosts whose pages of commits are known: services, and own servers with the name of their software. */
const PATHS: readonly (readonly [host: RegExp, path: string])[] = [
  [/(?:^|\.)bitbucket\./, 'commits'],
  [/(?:^|\.)(?:github|gitlab|gitea|forgejo|codeberg)\./, 'commit'],
];

/** Host and path of a repository: https://host/path, ssh://git@host:22/path or git@host:path. */
const parts = (url: string): { host: string; path: string } | undefined => {
  const [, host, path] = /^(?:https?|ssh|git):\/\/(?:[^@/]*@)?([^/:]+)(?::\d+)?\/(.+)$/i.exec(url) ??
    /^(?:[^@/:]+@)?([^/:]+):(?!\/)(.+)$/.exec(url) ?? [undefined, undefined, undefined];
  return host === undefined || path === undefined ? undefined : { host: host.toLowerCase(), path };
};

/** The page of a commit where the repository is hosted; undefined for repositories without a known page. */
export const commitUrl = (repository: string, hash: string): string | undefined => {
  const found = parts(repository);
  const page = found && PATHS.find(([host]) => host.test(found.host))?.[1];
  if (!found || page === undefined) return undefined;
  const path = found.path.replace(/\/+$/, '').replace(/\.git$/, '');
  return `https://${found.host}/${path.split('/').map(encodeURIComponent).join('/')}/${page}/${hash}`;
};

/** Paths of a file of a commit before its name, and what precedes the number of a line. */
const FILES: readonly (readonly [host: RegExp, path: string, line: string])[] = [
  [/(?:^|\.)bitbucket\./, 'src', 'lines-'],
  [/(?:^|\.)github\./, 'blob', 'L'],
  [/(?:^|\.)gitlab\./, '-/blob', 'L'],
  [/(?:^|\.)(?:gitea|forgejo|codeberg)\./, 'src/commit', 'L'],
];

/**
 * The page of a line of a file, such as `roles/base/tasks/main.yml:18`, in a commit where the repository is hosted;
 * undefined for repositories without a known page.
 */
export const fileUrl = (repository: string, hash: string, file: string): string | undefined => {
  const commit = commitUrl(repository, hash);
  const host = parts(repository)?.host ?? '';
  const page = FILES.find(([known]) => known.test(host));
  const [, name, line] = /^(.+?)(?::(\d+))?$/.exec(file) ?? [];
  if (commit === undefined || !page || name === undefined) return undefined;
  const base = commit.slice(0, commit.lastIndexOf('/commit'));
  const path = name.split('/').map(encodeURIComponent).join('/');
  return `${base}/${page[1]}/${hash}/${path}${line === undefined ? '' : `#${page[2]}${line}`}`;
};
