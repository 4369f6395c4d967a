import type { LogStoreProblem, ObjectStore } from './object-store.ts';

export type FolderMethod = 'put' | 'read' | 'remove' | 'list';

/** A message to the process that uses the folder of a log store. */
export type FolderMessage =
  | {
      readonly [M in FolderMethod]: {
        readonly id: number;
        readonly method: M;
        readonly args: Parameters<ObjectStore[M]>;
      };
    }[FolderMethod]
  /** Ends the write with this id. */
  | { readonly id: number; readonly method: 'abort' };

export type FolderReply =
  | { readonly id: number; readonly value: Buffer | undefined }
  | { readonly id: number; readonly problem: LogStoreProblem; readonly message: string };
