import { holds, type NewTemplate } from '@signalbox/contract';
import type { z } from 'zod';
import type { Membership } from '../../http/calls/call.ts';
import { ApiError } from '../../http/errors/api-error.ts';

type Fields = Omit<z.output<typeof NewTemplate>, 'survey_vars'>;

const STRENGTH = { none: 0, anyone: 1, other: 2 } as const;

/**
 * Lets only users who may approve the tasks of a template weaken whether they need an approval, or move the template to
 * another view, where others may have the right by a grant.
 * @throws not_permitted.approval
 */
export const checkApproval = (
  { permissions, access }: Membership,
  before: Pick<Fields, 'approval' | 'view_id'> & { readonly id: number },
  after: Pick<Fields, 'approval' | 'view_id'>,
): void => {
  const isMoved = before.approval !== 'none' && after.view_id !== before.view_id;
  if (STRENGTH[after.approval] >= STRENGTH[before.approval] && !isMoved) return;
  const { allowed } = access?.decide(before.id, 'approve') ?? { allowed: holds(permissions, 'approve_tasks') };
  if (!allowed) throw new ApiError('not_permitted.approval');
};

/** What `readJob` takes from the template of a task that needs an approval. The task has a copy of everything else. */
const READ_AT_START = ['playbook', 'repository_id', 'vault_key_id', 'vaults', 'arguments'] as const;

/** Whether a change of a template changes what its waiting tasks will run. */
export const changesApproved = (
  before: Pick<Fields, (typeof READ_AT_START)[number]>,
  after: Pick<Fields, (typeof READ_AT_START)[number]>,
): boolean => READ_AT_START.some((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
