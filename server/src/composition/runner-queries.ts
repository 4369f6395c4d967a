import type {
  AccessTest,
  CommitChanges,
  InventoryHosts,
  InventoryType,
  RepositoryDiff,
  RepositoryFiles,
  RepositoryScan,
} from '@signalbox/contract';
import type { Access, QueryAnswer, RepositoryAddress, RunnerQuery } from '@signalbox/contract/link';
import { type Actor, SYSTEM } from '../audit/record-event.ts';
import type { Clock } from '../clock.ts';
import { readAccess, readRepositorySource, type SecretDeps } from '../dispatch/claim/job.read-model.ts';
import type { QueryRequest } from '../dispatch/queries/query-lease.ts';
import type { QueryService } from '../dispatch/queries/query-service.ts';
import type { CommitPair } from '../features/tasks/comparison/commit-comparison.routes.ts';
import { ApiError } from '../http/errors/api-error.ts';
import { english } from '../http/errors/english.ts';
import { type RunnerRefusal, runnerRefusal } from '../http/errors/runner-refusal.ts';

export interface RunnerQueryDeps {
  readonly queryService: Pick<QueryService, 'ask'>;
  readonly jobDeps: SecretDeps;
  readonly clock: Clock;
}

/** The user or schedule that requests a query, and the project. */
export interface Requester {
  readonly projectId: number;
  readonly actor: Actor;
}

/**
 * The answer of a runner, its refusal, or undefined when no runner answers.
 * @throws unavailable when runners are connected, but none takes queries of the project
 */
type Found<T> = Promise<T | RunnerRefusal | undefined>;

/** A test of a key against a repository. Both are either saved objects or values of a form. */
export interface AccessRequest {
  readonly about: QueryRequest['about'];
  readonly event: NonNullable<QueryRequest['event']>;
  readonly key: number | Access;
  readonly repository: number | { readonly url: string } | null;
}

type AnswerTo<A extends RunnerQuery['ask']> = Extract<QueryAnswer, { ask: A }>;

/** Removes the kind of an answer, which is not a part of what features return. */
const withoutKind = <T extends { readonly ask: string }>(
  answer: T | RunnerRefusal | undefined,
): Omit<T, 'ask'> | RunnerRefusal | undefined => {
  if (!answer || 'refused' in answer) return answer;
  const { ask: _, ...rest } = answer;
  return rest;
};

/**
 * Wires the features to the queries that runners answer. Secrets are decrypted only after the lease of the query is
 * stored.
 */
export const composeRunnerQueries = ({ queryService, jobDeps, clock }: RunnerQueryDeps) => {
  const ask = async <A extends RunnerQuery['ask']>(
    request: QueryRequest & { readonly ask: A },
    open: () => Promise<Extract<RunnerQuery, { ask: A }>>,
  ): Found<AnswerTo<A>> => {
    const answer = await queryService.ask(request, open);
    if (answer === 'not_permitted') throw new ApiError('unavailable.runner_for_project');
    if (answer === 'timed_out') return undefined;
    if (answer?.ask === 'refused') return runnerRefusal(answer);
    return answer?.ask === request.ask ? (answer as AnswerTo<A>) : undefined;
  };
  const repositoryRequest = <A extends RunnerQuery['ask']>(kind: A, requester: Requester, id: number) =>
    ({ ask: kind, ...requester, about: { type: 'repository', id } }) as const;
  const addressOf = async (
    projectId: number,
    repository: AccessRequest['repository'],
  ): Promise<RepositoryAddress | null> => {
    if (repository === null) return null;
    if (typeof repository === 'object') return { url: repository.url, branch: '', project_id: projectId };
    const row = await jobDeps.db
      .selectFrom('repository')
      .select(['git_url', 'git_branch'])
      .where('id', '=', repository)
      .executeTakeFirstOrThrow();
    return { url: row.git_url, branch: row.git_branch, project_id: projectId };
  };

  return {
    branches: async (
      requester: Requester,
      repositoryId: number,
      more: { readonly tags?: true } = {},
    ): Found<{ branches: string[]; tags?: string[] | undefined }> =>
      await ask(repositoryRequest('branches', requester, repositoryId), async () => ({
        ask: 'branches',
        repository: await readRepositorySource(jobDeps, repositoryId),
        ...more,
      })),

    files: async (requester: Requester, repositoryId: number, branch: string | undefined): Found<RepositoryFiles> =>
      await ask(repositoryRequest('files', requester, repositoryId), async () => {
        const saved = await readRepositorySource(jobDeps, repositoryId);
        return { ask: 'files', repository: { ...saved, branch: branch ?? saved.branch } };
      }),

    scan: async (requester: Requester, repositoryId: number): Found<RepositoryScan> =>
      await ask(repositoryRequest('scan', requester, repositoryId), async () => ({
        ask: 'scan',
        repository: await readRepositorySource(jobDeps, repositoryId),
      })),

    commitChanges: async (requester: Requester, { repositoryId, ...commits }: CommitPair): Found<CommitChanges> =>
      withoutKind(
        await ask(repositoryRequest('commit_changes', requester, repositoryId), async () => ({
          ask: 'commit_changes',
          repository: await readRepositorySource(jobDeps, repositoryId),
          ...commits,
        })),
      ),

    repositoryDiff: async (
      requester: Requester,
      { repositoryId, ...commits }: CommitPair,
      paths: readonly string[],
    ): Found<RepositoryDiff> =>
      withoutKind(
        await ask(repositoryRequest('repository_diff', requester, repositoryId), async () => ({
          ask: 'repository_diff',
          repository: await readRepositorySource(jobDeps, repositoryId),
          ...commits,
          paths: [...paths],
        })),
      ),

    hosts: async (
      requester: Requester,
      inventory: { readonly id: number; readonly type: InventoryType; readonly inventory: string },
      repositoryId: number | null,
    ): Found<InventoryHosts> =>
      await ask({ ask: 'hosts', ...requester, about: { type: 'inventory', id: inventory.id } }, async () => ({
        ask: 'hosts',
        inventory: { type: inventory.type, inventory: inventory.inventory },
        repository: repositoryId === null ? null : await readRepositorySource(jobDeps, repositoryId),
      })),

    newestCommit: async (repositoryId: number): Found<{ commit: string }> => {
      const { project_id } = await jobDeps.db
        .selectFrom('repository')
        .select('project_id')
        .where('id', '=', repositoryId)
        .executeTakeFirstOrThrow();
      const requester = { projectId: project_id, actor: SYSTEM };
      return await ask(repositoryRequest('newest_commit', requester, repositoryId), async () => ({
        ask: 'newest_commit',
        repository: await readRepositorySource(jobDeps, repositoryId),
      })).catch((error: unknown) => {
        // The schedule waits for a runner, as if none were connected.
        if (error instanceof ApiError && error.code === 'unavailable.runner_for_project') return undefined;
        throw error;
      });
    },

    access: async (requester: Requester, request: AccessRequest): Promise<AccessTest | undefined> => {
      const { about, event, key, repository } = request;
      const since = clock.monotonic();
      const answer = await ask({ ask: 'access', ...requester, about, event }, async () => ({
        ask: 'access',
        access: typeof key === 'number' ? await readAccess(jobDeps, key) : key,
        repository: await addressOf(requester.projectId, repository),
      }));
      if (!answer) return undefined;
      const took_ms = Math.round(clock.monotonic() - since);
      if ('refused' in answer) {
        const { refused } = answer;
        return { works: false, reason: english(refused), reason_code: refused, key: null, branches: null, took_ms };
      }
      return { works: true, reason: '', reason_code: null, key: answer.key, branches: answer.branches, took_ms };
    },
  };
};

export type RunnerQueries = ReturnType<typeof composeRunnerQueries>;
