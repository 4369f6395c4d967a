import { createHash } from 'node:crypto';
import type { Task } from '@signalbox/contract';

/** The options of a task that decide which steps run on which hosts. */
export type RunOptions = Pick<Task, 'limit' | 'tags' | 'skip_tags' | 'inventory_id' | 'dry_run'>;

/** Returns a text that is the same for runs that can be compared. */
export const optionsOf = ({ limit, tags, skip_tags, inventory_id, dry_run }: RunOptions): string =>
  createHash('sha256')
    .update(JSON.stringify([limit, tags.toSorted(), skip_tags.toSorted(), inventory_id, dry_run]))
    .digest('base64url')
    .slice(0, 16);
