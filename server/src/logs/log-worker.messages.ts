import type { LogStore } from './log-store.ts';

export type Method = Exclude<keyof LogStore, 'close'>;

/** A call to the worker that owns the logs file; `close` ends the worker. */
export type WorkerCall =
  | {
      readonly [M in Method]: { readonly id: number; readonly method: M; readonly args: Parameters<LogStore[M]> };
    }[Method]
  | { readonly id: number; readonly method: 'close'; readonly args: [] };

export type WorkerReply =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: { readonly message: string; readonly errcode?: number } };
