import type { LogStoreTarget } from '../../settings/log-store-settings.ts';
import type { MovedLogs } from '../log-worker.messages.ts';
import type { LogObjects } from './block-source.ts';
import { folderProcessStore } from './folder-process-store.ts';
import { guardedObjectStore } from './guarded-object-store.ts';
import type { ObjectStore } from './object-store.ts';
import { s3ObjectStore } from './s3-object-store.ts';

/** Opens the store that the settings name. Does not connect to it. */
export const openObjectStore = (target: LogStoreTarget): ObjectStore =>
  guardedObjectStore(target.kind === 'folder' ? folderProcessStore(target.folder) : s3ObjectStore(target));

export const openLogObjects = (moved: MovedLogs | undefined): LogObjects | undefined =>
  moved && { store: openObjectStore(moved.target), secret: Buffer.from(moved.secret) };
