import { createHash } from 'node:crypto';
import type { InventoryHosts, InventoryType } from '@signalbox/contract';
import type { Actor } from '../../audit/record-event.ts';
import type { StateReader } from '../../database/database.ts';
import { ApiError } from '../../http/errors/api-error.ts';
import type { RunnerRefusal } from '../../http/errors/runner-refusal.ts';
import type { SourceCache } from './source-cache.ts';

interface Requester {
  readonly projectId: number;
  readonly actor: Actor;
}

/** The answer of a runner, its refusal, or undefined when none is connected. */
type Found<T> = Promise<T | RunnerRefusal | undefined>;

export interface SourceQueries {
  branches(
    requester: Requester,
    repositoryId: number,
    more?: { readonly tags: true },
  ): Found<{ branches: string[]; tags?: string[] | undefined }>;
  hosts(
    requester: Requester,
    inventory: { readonly id: number; readonly type: InventoryType; readonly inventory: string },
    repositoryId: number | null,
  ): Found<InventoryHosts>;
}

interface Reading {
  readonly queries: SourceQueries;
  readonly cache: SourceCache;
  readonly requester: Requester;
}

/**
 * The hosts and groups of the inventory of a template.
 * @throws conflict when the inventory cannot be read, without the reason, which may quote it; unavailable without a runner
 */
export const readHosts = async (
  db: StateReader,
  { queries, cache, requester }: Reading,
  template: { readonly inventory_id: number | null; readonly repository_id: number },
): Promise<InventoryHosts> => {
  const inventory = await db
    .selectFrom('inventory')
    .select(['id', 'type', 'inventory'])
    .where('id', '=', template.inventory_id)
    .executeTakeFirst();
  if (!inventory) throw new ApiError('conflict.inventory_unreadable');
  const isInRepository = inventory.type === 'file' && !inventory.inventory.startsWith('/');
  const repositoryId = isInRepository ? template.repository_id : null;
  const content = createHash('sha256').update(inventory.inventory).digest('base64');
  return await cache.read(['hosts', inventory.id, inventory.type, content, repositoryId], async () => {
    const found = await queries.hosts(requester, inventory, repositoryId);
    if (!found) throw new ApiError('unavailable.runner_for_inventory');
    if ('refused' in found) throw new ApiError('conflict.inventory_unreadable');
    return found;
  });
};

/**
 * The branches or the tags of the repository of a template.
 * @throws conflict when the repository cannot be read, without the reason, which may quote its address; unavailable without a
 * runner that reads them
 */
export const readRefs = async (
  { queries, cache, requester }: Reading,
  { repository_id: id }: { readonly repository_id: number },
  kind: 'branches' | 'tags',
): Promise<readonly string[]> =>
  await cache.read([kind, id], async () => {
    const found = await queries.branches(requester, id, kind === 'tags' ? { tags: true } : undefined);
    if (found && 'refused' in found) throw new ApiError('conflict.repository_unreadable');
    const names = found?.[kind];
    if (!names) throw new ApiError('unavailable.runner_for_repository');
    return names;
  });
