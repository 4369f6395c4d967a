import { holds, type Repository } from '@signalbox/contract';

/** An address may carry a name and a password before the host: for managers only. */
export const redactUrl = (url: string): string => url.replace(/^([a-z+]+:\/\/)[^/]*@/i, '$1');

export const presentRepository = (repository: Repository, permissions: number): Repository =>
  holds(permissions, 'manage_resources') ? repository : { ...repository, git_url: redactUrl(repository.git_url) };
