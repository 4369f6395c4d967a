import { type AccessTest, NewRepository, type RepositoryFiles } from '@signalbox/contract';
import type { Actor } from '../../audit/record-event.ts';
import type { Clock } from '../../clock.ts';
import type { Database } from '../../database/database.ts';
import { readKeyNames } from '../../database/key-names.ts';
import { findReferences } from '../../database/used-by.ts';
import { ApiError, notFound } from '../../http/api-error.ts';
import type { Handlers } from '../../http/call.ts';
import { merged } from '../../http/change.ts';
import { changeObject, deleteObject, type ObjectKind } from '../../http/project-object.ts';
import { checkReferences } from '../../http/references.ts';
import type { RunnerRefusal } from '../../http/runner-refusal.ts';
import { sorted } from '../../http/sorted.ts';
import { orTaken } from '../../http/taken.ts';
import { checkAddress, presentRepository, redactUrl } from './repository.policy.ts';
import { insertRepository } from './repository.store.ts';

interface Needs {
  readonly database: Database;
  readonly clock: Clock;
  readonly questions: RepositoryQuestions;
  /** Whether addresses may start with http://. */
  readonly allowHttp: boolean;
}

interface Asker {
  readonly projectId: number;
  readonly actor: Actor;
}

/** What a runner found out, why it could not, or undefined when none is connected. */
type Found<T> = Promise<T | RunnerRefusal | undefined>;

interface RepositoryQuestions {
  branches(asker: Asker, repositoryId: number): Found<{ branches: string[] }>;
  files(asker: Asker, repositoryId: number, branch: string | undefined): Found<RepositoryFiles>;
  access(
    asker: Asker,
    inquiry: {
      readonly about: { readonly type: 'repository'; readonly id: null };
      readonly event: { readonly name: string; readonly kind: 'repository.access_tested' };
      readonly key: number;
      readonly repository: { readonly url: string };
    },
  ): Promise<AccessTest | undefined>;
}

/** @throws when nothing was found out, with the reason */
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
  | 'testRepository';

const KIND: ObjectKind<'repository'> = {
  table: 'repository',
  code: 'repository',
  taken: (name) => ({ code: 'conflict.repository_name_taken', params: { name } }),
  name: (row) => row.name,
  present: (_db, row, permissions) => presentRepository(row, permissions),
};

export const repositoriesRoutes = ({
  database,
  clock,
  questions,
  allowHttp,
}: Needs): Pick<Handlers, RepositoryRoutes> => {
  const repositories = (projectId: number) =>
    database.read.selectFrom('repository').selectAll().where('project_id', '=', projectId);
  const find = async (projectId: number, id: number) => {
    const row = await repositories(projectId).where('id', '=', id).executeTakeFirst();
    if (!row) throw notFound();
    return row;
  };
  const checkKey = (db: Database['read'], projectId: number, facts: { readonly ssh_key_id: number }): Promise<void> =>
    checkReferences(db, projectId, [['ssh_key_id', 'access_key', facts.ssh_key_id]]);

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
        const facts = merged(NewRepository, row, call.body);
        if (facts.git_url !== row.git_url) checkAddress(facts.git_url, allowHttp);
        await checkKey(tx, row.project_id, facts);
        return facts;
      }),

    deleteRepository: (call) => deleteObject({ database, clock }, KIND, call, call.params.repository_id),

    getRepositoryReferences: async ({ params }) => {
      const { id } = await find(params.project_id, params.repository_id);
      return await findReferences(database.read, 'repository', id);
    },

    listBranches: async ({ params, actor }) => {
      const { id, project_id } = await find(params.project_id, params.repository_id);
      return found(await questions.branches({ projectId: project_id, actor }, id)).branches;
    },

    listRepositoryFiles: async ({ params, query, actor }) => {
      const { id, project_id } = await find(params.project_id, params.repository_id);
      const { files, complete } = found(await questions.files({ projectId: project_id, actor }, id, query.branch));
      return { files, complete };
    },

    testRepository: async ({ params, body, actor }) => {
      checkAddress(body.git_url, allowHttp);
      await checkKey(database.read, params.project_id, body);
      const name = redactUrl(body.git_url);
      const test = await questions.access(
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
