import type { Repository } from '@signalbox/contract';
import { recordCreated } from '../../audit/object-event.ts';
import type { Actor } from '../../audit/record-event.ts';
import type { StateTransaction } from '../../database/database.ts';

export type RepositoryInput = Omit<Repository, 'id' | 'project_id'>;

export const insertRepository = async (
  tx: StateTransaction,
  projectId: number,
  input: RepositoryInput,
  actor: Actor,
  now: Date,
): Promise<Repository> => {
  const row = await tx
    .insertInto('repository')
    .values({
      project_id: projectId,
      name: input.name,
      git_url: input.git_url,
      git_branch: input.git_branch,
      ssh_key_id: input.ssh_key_id,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await recordCreated(tx, 'repository', row, actor, now);
  return row;
};
