import type { DatabaseLocation } from '../database/open-database.ts';
import type { LogStoreTarget } from '../settings/log-store-settings.ts';
import type { LogStore } from './log-store.ts';
import type { LogStoreProblem } from './objects/object-store.ts';

/** Where moved logs are, and the secret that encrypts them. */
export interface MovedLogs {
  readonly target: LogStoreTarget;
  readonly secret: Uint8Array;
}

export interface WorkerSettings {
  readonly location: DatabaseLocation;
  readonly moved: MovedLogs | undefined;
}

export type Method = Exclude<keyof LogStore, 'close'>;

/** What the worker of the logs is asked for; `close` ends the worker. */
export type WorkerRequest =
  | { readonly [M in Method]: { readonly method: M; readonly args: Parameters<LogStore[M]> } }[Method]
  | { readonly method: 'close'; readonly args: [] };

export type WorkerCall = WorkerRequest & { readonly id: number };

export type WorkerReply =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: WorkerError };

/** What the callers of the store need of an error. */
export interface WorkerError {
  readonly message: string;
  readonly errcode?: number;
  readonly code?: string;
  readonly logStoreProblem?: LogStoreProblem;
}
