import type { ErrorMessage } from '@signalbox/contract';
import type { StateTransaction } from '../../database/database.ts';
import { lockProject } from '../../database/queries/lock-project.ts';
import { ApiError } from '../errors/api-error.ts';

/** Tables of which a project has a maximum number of rows. */
type Limited = 'label' | 'freeze_window' | 'alert_receiver' | 'access_grant';

/** @throws `error` when the project has the maximum number of rows of a table */
export const refuseFull = async (
  tx: StateTransaction,
  table: Limited,
  projectId: number,
  max: number,
  error: ErrorMessage,
): Promise<void> => {
  await lockProject(tx, projectId);
  const { count } = await tx
    .selectFrom(table)
    .select((eb) => eb.fn.countAll().as('count'))
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow();
  if (Number(count) >= max) throw ApiError.of(error);
};
