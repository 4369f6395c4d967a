import { join } from 'node:path';
import type { QueryAnswer, RepositorySource, RunnerQuery } from '@signalbox/contract/link';
import type { HostsQuery } from '../apps/app.ts';
import type { Apps } from '../apps/apps.ts';
import type { Environments } from '../environments/environments.ts';
import { PreparationError } from '../errors/preparation-error.ts';
import { type AccessedRepository, accessRepository } from '../git/checkout.ts';
import { type GitOptions, gitEnvironment, gitError, tryGit } from '../git/git.ts';
import { RUN_MARKER } from '../process/process-table.ts';
import { readFingerprint } from '../ssh/key-fingerprint.ts';
import type { RunnerContext } from '../workspace/runner-context.ts';
import type { OwnedWorkspace } from '../workspace/workspace.ts';
import { commitChanges, repositoryDiff } from './commit-changes.ts';
import { fewAtOnce } from './few-at-once.ts';
import { repositoryFiles } from './repository-files.ts';
import { repositoryScan } from './repository-scan.ts';
import { runHosts } from './run-hosts.ts';

/** Shorter than the leases, so that the answer can name the step that took too long. */
const TIMEOUT_MS = 20_000;
const FETCH_TIMEOUT_MS = 50_000;

/** Queries that may have to fetch the repository first. */
const FETCHING: ReadonlySet<RunnerQuery['ask']> = new Set(['files', 'scan', 'commit_changes', 'repository_diff']);

/** The time that Ansible has to print the hosts of a run, in milliseconds. */
const RUN_HOSTS_MS = 60_000;

/** Lists and scans of all files need much memory. The others wait, as long as their leases last. */
const listing = fewAtOnce(2);

/** Maximum number of branches, and of tags, in an answer. */
const MAX_NAMES = 1_000;
const HEADS = 'refs/heads/';
const TAGS = 'refs/tags/';

const listRefs = async (
  { from, options }: AccessedRepository,
  refs: readonly string[],
): Promise<[hash: string, ref: string][]> => {
  const end = await tryGit(['ls-remote', '--', from, ...refs], options);
  if (end.code !== 0) throw gitError('The repository cannot be reached', end, options);
  return end.stdout
    .split('\n')
    .map((row) => row.split('\t'))
    .flatMap(([hash, ref]) => (hash && ref ? [[hash, ref] as [string, string]] : []));
};

const listNames = async (repository: AccessedRepository, prefix: string): Promise<string[]> =>
  (await listRefs(repository, [`${prefix}*`])).map(([, ref]) => ref.slice(prefix.length));

/** The names of the branches; null for a plain folder, which has none. */
const listBranches = async (repository: AccessedRepository): Promise<string[] | null> =>
  repository.address.type === 'folder' ? null : (await listNames(repository, HEADS)).slice(0, MAX_NAMES);

const byNumbers = new Intl.Collator('en', { numeric: true });

/** The names of the tags, the highest version first: v10 before v9. */
const listTags = async (repository: AccessedRepository): Promise<string[]> => {
  if (repository.address.type === 'folder') return [];
  const names = await listNames(repository, TAGS);
  // The commit of an annotated tag is listed as a name of its own.
  return names
    .filter((name) => !name.endsWith('^{}'))
    .sort((a, b) => byNumbers.compare(b, a))
    .slice(0, MAX_NAMES);
};

const newestCommit = async (repository: AccessedRepository, branch: string): Promise<string> => {
  if (repository.address.type === 'folder')
    throw new PreparationError('repository', 'The local repository is a plain folder without commits.', {
      code: 'git.plain_folder',
      params: { repository: '' },
    });
  const names = branch === '' ? ['HEAD'] : [`${HEADS}${branch}`, `refs/tags/${branch}^{}`, `refs/tags/${branch}`];
  const refs = new Map((await listRefs(repository, names)).map(([hash, ref]) => [ref, hash]));
  const commit = names.map((name) => refs.get(name)).find((hash) => hash !== undefined);
  if (commit !== undefined) return commit;
  if (branch === '')
    throw new PreparationError('repository', 'The repository has no commit on its default branch.', {
      code: 'git.empty',
      params: { repository: '' },
    });
  throw new PreparationError('repository', `The repository has no branch or tag named ${branch}.`, {
    code: 'git.branch_missing',
    params: { repository: '', branch },
  });
};

/** The hosts of an inventory, as the app that has inventories lists them. */
const listHosts = async (
  query: HostsQuery,
  { apps, context }: QueryContext,
  workspace: OwnedWorkspace,
  options: GitOptions,
): Promise<QueryAnswer> => {
  const app = apps.all.find(({ listHosts }) => listHosts !== undefined);
  if (!app?.listHosts) throw new Error('No app of this runner has inventories.');
  return { ask: 'hosts', ...(await app.listHosts(query, context, workspace, options)) };
};

/** What answering a query needs of the runner. */
export interface QueryContext {
  readonly context: RunnerContext;
  readonly apps: Apps;
  readonly environments: Environments;
}

/**
 * Answers a query.
 * @param workspace belongs to this query only and is removed with it
 * @throws PreparationError for the requester
 */
export const answerQuery = async (
  query: RunnerQuery,
  { context, apps, environments }: QueryContext,
  workspace: OwnedWorkspace,
  { marker, signal }: { readonly marker: string; readonly signal: AbortSignal },
): Promise<QueryAnswer> => {
  const env = { ...gitEnvironment(context.base, context.gitConfig), [RUN_MARKER]: marker };
  const options: GitOptions = {
    env,
    signal,
    timeoutMs: FETCHING.has(query.ask) ? FETCH_TIMEOUT_MS : TIMEOUT_MS,
  };
  const within = async <T>(
    source: Omit<RepositorySource, 'id'>,
    read: (repository: AccessedRepository) => Promise<T>,
  ): Promise<T> => {
    const repository = await accessRepository(source, context, workspace.secrets.folder('git'), options);
    try {
      return await read(repository);
    } finally {
      await repository.close();
    }
  };
  switch (query.ask) {
    case 'run_hosts':
      return await runHosts(query.job, { context, apps, environments }, workspace.paths, {
        marker,
        signal,
        timeoutMs: RUN_HOSTS_MS,
      });
    case 'hosts':
      return await listHosts(query, { apps, context, environments }, workspace, options);
    case 'branches':
      return await within(query.repository, async (opened) => ({
        ask: 'branches',
        branches: (await listBranches(opened)) ?? [],
        ...(query.tags ? { tags: await listTags(opened) } : {}),
      }));
    case 'newest_commit': {
      const { repository } = query;
      const commit = await within(repository, (opened) => newestCommit(opened, repository.branch));
      return { ask: 'newest_commit', commit };
    }
    case 'files': {
      const { repository } = query;
      const found = await listing(() =>
        within(repository, (opened) => repositoryFiles(repository, opened, context.mirrors)),
      );
      return { ask: 'files', ...found };
    }
    case 'scan': {
      const { repository } = query;
      const found = await listing(() =>
        within(repository, (opened) => repositoryScan(repository, opened, context.mirrors)),
      );
      return { ask: 'scan', ...found };
    }
    case 'commit_changes': {
      const changes = await within(query.repository, (opened) => commitChanges(query, opened, context.mirrors));
      return { ask: 'commit_changes', ...changes };
    }
    case 'repository_diff': {
      const found = await within(query.repository, (opened) => repositoryDiff(query, opened, context.mirrors));
      return { ask: 'repository_diff', ...found };
    }
    case 'access': {
      const { access, repository } = query;
      const { path: folder } = await workspace.secrets.folder('key').create();
      const opening = { folder, privately: join(folder, 'open'), env, signal };
      const key = access.type === 'ssh' ? await readFingerprint(access, opening) : null;
      const branches = repository === null ? null : await within({ ...repository, access }, listBranches);
      return { ask: 'access', key, branches };
    }
  }
};
