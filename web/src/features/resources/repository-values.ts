import type { BodyInput, Repository, RouteTable } from '@signalbox/contract';

/** The types of repository addresses in the order in which they are offered, each with its prefix. */
export const URL_TYPES = [
  { type: 'git', prefix: 'git://' },
  { type: 'file', prefix: 'file://' },
  { type: 'ssh', prefix: 'ssh://' },
  { type: 'https', prefix: 'https://' },
  { type: 'local', prefix: '/' },
] as const;
export type UrlType = (typeof URL_TYPES)[number]['type'];

/** The type of an address; undefined if git would not understand it. An address without a scheme is for ssh. */
export const urlType = (url: string): UrlType | undefined => {
  const text = url.trim();
  if (text.startsWith('/')) return 'local';
  const scheme = /^([^/:]*):\/\//.exec(text)?.[1]?.toLowerCase();
  if (scheme === undefined) return /^[^\s-]\S*$/.test(text) && !text.includes('::') ? 'ssh' : undefined;
  return URL_TYPES.find(({ type }) => type === scheme && type !== 'local')?.type;
};

/** The address with the prefix of another type. The host and path stay. */
export const withUrlType = (url: string, type: UrlType): string => {
  const rest = url
    .trim()
    .replace(/^[^/:]*:\/\//, '')
    .replace(/^\/+/, '');
  const prefix = URL_TYPES.find((one) => one.type === type)?.prefix ?? '';
  return `${prefix}${type === 'file' && rest !== '' ? '/' : ''}${rest}`;
};

/** Values of the form. Ids are texts, as select inputs need them. */
export type RepositoryValues = { name: string; git_url: string; git_branch: string; ssh_key_id: string | null };

export const newRepositoryValues = (item: Repository | undefined): RepositoryValues => ({
  name: item?.name ?? '',
  git_url: item?.git_url ?? '',
  git_branch: item?.git_branch ?? '',
  ssh_key_id: item ? String(item.ssh_key_id) : null,
});

const urlProblem = (url: string): string | undefined => {
  if (url.trim() === '') return 'repositories.urlRequired';
  return urlType(url) === undefined ? 'repositories.incorrectUrl' : undefined;
};

/** Catalogue keys of the errors, by field. */
export const repositoryProblems = (values: RepositoryValues): Record<string, string | undefined> => ({
  name: values.name.trim() === '' ? 'form.nameRequired' : undefined,
  git_url: urlProblem(values.git_url),
  git_branch:
    values.git_branch.trim() === '' && urlType(values.git_url) !== 'local' ? 'repositories.branchRequired' : undefined,
  ssh_key_id: values.ssh_key_id === null ? 'repositories.keyRequired' : undefined,
});

/** The body of the request for valid values. */
export const repositoryBody = (values: RepositoryValues): BodyInput<RouteTable['createRepository']> => ({
  name: values.name.trim(),
  git_url: values.git_url.trim(),
  git_branch: values.git_branch.trim(),
  ssh_key_id: Number(values.ssh_key_id),
});
