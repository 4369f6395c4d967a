import type { CommitChanges, RepositoryDiff, Task } from '@signalbox/contract';
import type { Actor } from '../../../audit/record-event.ts';
import type { Database } from '../../../database/database.ts';
import type { Handlers } from '../../../http/calls/call.ts';
import { ApiError } from '../../../http/errors/api-error.ts';
import type { RunnerRefusal } from '../../../http/errors/runner-refusal.ts';
import { AnswerCache } from './answer-cache.ts';
import { findCompared } from './compared-tasks.ts';

/** Two commits of a repository, by their full hashes. */
export interface CommitPair {
  readonly repositoryId: number;
  readonly earlier: string;
  readonly later: string;
}

interface Requester {
  readonly projectId: number;
  readonly actor: Actor;
}

/** The answer of a runner, its refusal, or undefined when none is connected. */
type Found<T> = Promise<T | RunnerRefusal | undefined>;

interface Deps {
  readonly database: Database;
  readonly queries: {
    commitChanges(requester: Requester, pair: CommitPair): Found<CommitChanges>;
    repositoryDiff(requester: Requester, pair: CommitPair, paths: readonly string[]): Found<RepositoryDiff>;
  };
}

const commitOf = ({ id, commit_hash }: Task): string => {
  if (commit_hash === null) throw new ApiError('conflict.task_without_commit', { id });
  return commit_hash;
};

/** @throws the reason when there is no answer */
const answered = async <T extends object>(found: Found<T>): Promise<T> => {
  const answer = await found;
  if (!answer) throw new ApiError('unavailable.runner_for_repository');
  if ('refused' in answer) throw ApiError.of(answer.refused);
  return answer;
};

const NOTHING: CommitChanges = { commits: [], commit_count: 0, files: [], file_count: 0, shallow: false };

/** Routes for what the repository of a template has between the commits of two of its tasks. */
export const commitComparisonRoutes = ({
  database,
  queries,
}: Deps): Pick<Handlers, 'listTaskCommits' | 'getTaskDiff'> => {
  // What is between two commits never changes, but a repository can get the rest of its history later.
  const changes = new AnswerCache<CommitChanges>(({ shallow }) => shallow);
  const diffs = new AnswerCache<RepositoryDiff>();
  const compared = async (projectId: number, taskId: number, wanted: number | undefined) => {
    const found = await findCompared(database.read, projectId, taskId, wanted);
    if (!found) throw new ApiError('conflict.no_other_task');
    const { id, git_url, ssh_key_id } = await database.read
      .selectFrom('template')
      .innerJoin('repository', 'repository.id', 'template.repository_id')
      .select(['repository.id', 'repository.git_url', 'repository.ssh_key_id'])
      .where('template.id', '=', found.other.template_id)
      .executeTakeFirstOrThrow();
    const pair: CommitPair = { repositoryId: id, earlier: commitOf(found.earlier), later: commitOf(found.later) };
    // A repository with another address or key has to be read again.
    return { other: found.other, pair, key: [id, git_url, ssh_key_id, pair.earlier, pair.later] as const };
  };
  return {
    listTaskCommits: async ({ params: { project_id: projectId, task_id }, query, actor }) => {
      const { other, pair, key } = await compared(projectId, task_id, query.with);
      const { earlier, later } = pair;
      const found =
        earlier === later
          ? NOTHING
          : await changes.read(key, () => answered(queries.commitChanges({ projectId, actor }, pair)));
      return { other_id: other.id, earlier, later, ...found };
    },

    getTaskDiff: async ({ params: { project_id: projectId, task_id }, query, actor }) => {
      const { pair, key } = await compared(projectId, task_id, query.with);
      if (pair.earlier === pair.later) return { diff: '', complete: true };
      const paths =
        query.path === undefined ? [] : [query.path, query.renamed_from].filter((path) => path !== undefined);
      return await diffs.read([...key, ...paths], () =>
        answered(queries.repositoryDiff({ projectId, actor }, pair, paths)),
      );
    },
  };
};
