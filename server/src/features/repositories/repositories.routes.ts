import type { Clock } from '../../clock.ts';
import type { Database } from '../../database/database.ts';
import { ApiError, conflict, notFound } from '../../http/api-error.ts';
import type { Handlers } from '../../http/call.ts';
import { checkReferences } from '../../http/references.ts';
import { orTaken } from '../../http/taken.ts';
import { presentRepository } from './repository.policy.ts';
import { insertRepository } from './repository.store.ts';

interface Needs {
  readonly database: Database;
  readonly clock: Clock;
  /** Asks a runner; undefined when none is connected. */
  readonly askBranches: (repositoryId: number) => Promise<{ branches: string[] } | { refused: string } | undefined>;
}

export const repositoriesRoutes = ({
  database,
  clock,
  askBranches,
}: Needs): Pick<Handlers, 'listRepositories' | 'createRepository' | 'getRepository' | 'listBranches'> => {
  const repositories = (projectId: number) =>
    database.read.selectFrom('repository').selectAll().where('project_id', '=', projectId).orderBy('name');
  return {
    listRepositories: async ({ params, membership }) =>
      (await repositories(params.project_id).execute()).map((row) => presentRepository(row, membership.permissions)),

    createRepository: async ({ params, body, actor }) => {
      await checkReferences(database.read, params.project_id, [['ssh_key_id', 'access_key', body.ssh_key_id]]);
      return await orTaken(database, `There is already a repository named ${body.name}.`, () =>
        database.write((tx) => insertRepository(tx, params.project_id, body, actor, clock.now())),
      );
    },

    getRepository: async ({ params, membership }) => {
      const row = await repositories(params.project_id).where('id', '=', params.repository_id).executeTakeFirst();
      if (!row) throw notFound();
      return presentRepository(row, membership.permissions);
    },

    listBranches: async ({ params }) => {
      const row = await repositories(params.project_id).where('id', '=', params.repository_id).executeTakeFirst();
      if (!row) throw notFound();
      const answer = await askBranches(row.id);
      if (!answer) throw new ApiError('unavailable', 'No runner is connected that could look into the repository.');
      if ('refused' in answer) throw conflict(answer.refused);
      return answer.branches;
    },
  };
};
