import { type AccessTest, NewRepository, type RepositoryFiles, type RepositoryScan } from '@signalbox/contract';
import type { Actor } from '../../audit/record-event.ts';
import type { Clock } from '../../clock.ts';
import type { Database } from '../../database/database.ts';
import { readKeyNames } from '../../database/queries/key-names.ts';
import { findReferences } from '../../database/queries/used-by.ts';
import { type Handlers, hiddenFrom } from '../../http/calls/call.ts';
import { ApiError, notFound } from '../../http/errors/api-error.ts';
import type { RunnerRefusal } from '../../http/errors/runner-refusal.ts';
import { orTaken } from '../../http/errors/taken.ts';
import { merged } from '../../http/objects/change.ts';
import { changeObject, deleteObject, type ObjectKind } from '../../http/objects/project-object.ts';
import { checkReferences } from '../../http/objects/references.ts';
import { sorted } from '../../http/objects/sorted.ts';
import { checkAddress, presentRepository, redactUrl } from './repository.policy.ts';
import { insertRepository } from './repository.store.ts';

interface Deps {
  readonly database: Database;
  readonly clock: Clock;
  readonly queries: RepositoryQueries;
  /** Whether addresses may start with http://. */
  readonly allowHttp: boolean;
}

interface Requester {
  readonly projectId: number;
  readonly actor: Actor;
}

/** The answer of a runner, its refusal, or undefined when none is connected. */
type Found<T> = Promise<T | RunnerRefusal | undefined>;

interface RepositoryQueries {
  branches(requester: Requester, repositoryId: number): Found<{ branches: string[] }>;
  files(requester: Requester, repositoryId: number, branch: string | undefined): Found<RepositoryFiles>;
  scan(requester: Requester, repositoryId: number): Found<RepositoryScan>;
  access(
    requester: Requester,
    request: {
      readonly about: { readonly type: 'repository'; readonly id: null };
      readonly event: { readonly name: string; readonly kind: 'repository.access_tested' };
      readonly key: number;
      readonly repository: { readonly url: string };
    },
  ): Promise<AccessTest | undefined>;
}

/** @throws the reason when there is no answer */
const found = <T extends object>(answer: T | RunnerRefusal | undefined): T => {
  if (!answer) throw new ApiError('unavailable.runner_for_repository');
  if ('refused' in answer) throw ApiError.of((answer as RunnerRefusal).refused);
  return answer;
};

type RepositoryRoutes =
  | 'listRepositories'
  | 'createRepository'
  | 'getRepository'
  | 'updateRepository'
  | 'deleteRepository'
  | 'getRepositoryReferences'
  | 'listBranches'
  | 'listRepositoryFiles'
  | 'findPlaybooks'
  | 'testRepository';

const KIND: ObjectKind<'repository'> = {
  table: 'repository',
  code: 'repository',
  taken: (name) => ({ code: 'conflict.repository_name_taken', params: { name } }),
  name: (row) => row.name,
  present: (_db, row, permissions) => presentRepository(row, permissions),
};

export const repositoriesRoutes = ({ database, clock, queries, allowHttp }: Deps): Pick<Handlers, RepositoryRoutes> => {
  const repositories = (projectId: number) =>
    database.read.selectFrom('repository').selectAll().where('project_id', '=', projectId);
  const find = async (projectId: number, id: number) => {
    const row = await repositories(projectId).where('id', '=', id).executeTakeFirst();
    if (!row) throw notFound();
    return row;
  };
  const checkKey = (db: Database['read'], projectId: number, input: { readonly ssh_key_id: number }): Promise<void> =>
    checkReferences(db, projectId, [['ssh_key_id', 'access_key', input.ssh_key_id]]);

  return {
    listRepositories: async ({ params, query, membership }) => {
      const rows = await repositories(params.project_id).execute();
      const names = query.sort === 'ssh_key' ? await readKeyNames(database.read, params.project_id) : undefined;
      const shown = rows.map((row) => presentRepository(row, membership.permissions));
      return sorted(shown, query, 'name', (row, column) =>
        column === 'ssh_key' ? names?.get(row.ssh_key_id) : row[column as 'name' | 'git_url' | 'git_branch'],
      );
    },

    createRepository: async ({ params, body, actor }) => {
      checkAddress(body.git_url, allowHttp);
      await checkKey(database.read, params.project_id, body);
      return await orTaken(
        database,
        () => KIND.taken(body.name),
        () => database.write((tx) => insertRepository(tx, params.project_id, body, actor, clock.now())),
      );
    },

    getRepository: async ({ params, membership }) =>
      presentRepository(await find(params.project_id, params.repository_id), membership.permissions),

    updateRepository: (call) =>
      changeObject({ database, clock }, KIND, call, call.params.repository_id, async (tx, row) => {
        const input = merged(NewRepository, row, call.body);
        if (input.git_url !== row.git_url) checkAddress(input.git_url, allowHttp);
        await checkKey(tx, row.project_id, input);
        return input;
      }),

    deleteRepository: (call) => deleteObject({ database, clock }, KIND, call, call.params.repository_id),

    getRepositoryReferences: async ({ params, membership }) => {
      const { id } = await find(params.project_id, params.repository_id);
      return await findReferences(database.read, 'repository', id, hiddenFrom(membership));
    },

    listBranches: async ({ params, actor }) => {
      const { id, project_id } = await find(params.project_id, params.repository_id);
      return found(await queries.branches({ projectId: project_id, actor }, id)).branches;
    },

    listRepositoryFiles: async ({ params, query, actor }) => {
      const { id, project_id } = await find(params.project_id, params.repository_id);
      const { files, complete } = found(await queries.files({ projectId: project_id, actor }, id, query.branch));
      return { files, complete };
    },

    findPlaybooks: async ({ params, actor }) => {
      const { id, project_id } = await find(params.project_id, params.repository_id);
      const scan = found(await queries.scan({ projectId: project_id, actor }, id));
      const { playbooks, inventories, requirements, complete } = scan;
      return { playbooks, inventories, requirements, complete };
    },

    testRepository: async ({ params, body, actor }) => {
      checkAddress(body.git_url, allowHttp);
      await checkKey(database.read, params.project_id, body);
      const name = redactUrl(body.git_url);
      const test = await queries.access(
        { projectId: params.project_id, actor },
        {
          about: { type: 'repository', id: null },
          event: { name, kind: 'repository.access_tested' },
          key: body.ssh_key_id,
          repository: { url: body.git_url },
        },
      );
      if (!test) throw new ApiError('unavailable.runner_for_repository');
      return test;
    },
  };
};
