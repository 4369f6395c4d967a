import { startFolderProcess } from './folder-process.starter.ts';
import type { FolderMessage, FolderMethod, FolderReply } from './folder-store.messages.ts';
import { type ListedObject, LogStoreError, type LogStoreProblem, type ObjectStore } from './object-store.ts';
import { FOLDER_READ_MS, FOLDER_WRITE_MS } from './time-limits.ts';

type FolderProcess = ReturnType<typeof startFolderProcess>;

/** Maximum times of calls, in milliseconds. */
interface Limits {
  readonly read: number;
  readonly write: number;
}

interface Pending {
  readonly resolve: (value: Buffer | undefined) => void;
  readonly reject: (error: LogStoreError) => void;
}

const LIMITS: Limits = { read: FOLDER_READ_MS, write: FOLDER_WRITE_MS };

/**
 * Stores objects in a folder through a process, which starts with the first call. A call that takes too long ends the
 * process, because nothing else ends a call to a folder that does not answer. Later calls start another one, but not
 * before the last one has ended: the system may not end a process before its disk answers.
 */
export const folderProcessStore = (
  folder: string,
  limits: Limits = LIMITS,
  start: typeof startFolderProcess = startFolderProcess,
): ObjectStore => {
  const address = `folder:${folder}`;
  const pending = new Map<number, Pending>();
  let child: FolderProcess | undefined;
  let isKilled = false;
  let ids = 0;

  const failed = (problem: LogStoreProblem, message: string): LogStoreError => new LogStoreError(problem, message);
  const away = (why: string): LogStoreError => failed('away', `The log store ${address} ${why}.`);

  const rejectAll = (error: LogStoreError): void => {
    for (const { reject } of pending.values()) reject(error);
    pending.clear();
  };

  const running = (): FolderProcess => {
    if (isKilled) throw away('does not answer, and its process has not ended yet');
    if (child) return child;
    const started = start(folder);
    started.on('message', (reply: FolderReply) => {
      const call = pending.get(reply.id);
      pending.delete(reply.id);
      if ('problem' in reply) call?.reject(failed(reply.problem, reply.message));
      else call?.resolve(reply.value);
    });
    const ended = (why: string) => (): void => {
      if (child !== started) return;
      child = undefined;
      isKilled = false;
      rejectAll(away(why));
    };
    started.on('exit', ended('has lost its process'));
    started.on('error', ended('has no process'));
    child = started;
    return started;
  };

  const kill = (error: LogStoreError): void => {
    isKilled = child !== undefined;
    child?.kill('SIGKILL');
    rejectAll(error);
  };

  const call = async <M extends FolderMethod>(
    method: M,
    args: Parameters<ObjectStore[M]>,
    signal?: AbortSignal,
  ): Promise<Buffer | undefined> => {
    const used = running();
    const id = ++ids;
    const { promise, resolve, reject } = Promise.withResolvers<Buffer | undefined>();
    const send = (message: FolderMessage): void => {
      // Failures to send are followed by the end of the process.
      used.send(message, () => undefined);
    };
    const ms = method === 'put' ? limits.write : limits.read;
    const timer = setTimeout(() => kill(away(`did not answer within ${ms / 1000} s`)), ms);
    const abort = (): void => send({ id, method: 'abort' });
    pending.set(id, { resolve, reject });
    send({ id, method, args } as FolderMessage);
    if (signal?.aborted) abort();
    signal?.addEventListener('abort', abort, { once: true });
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    }
  };

  return {
    address,
    put: async (name, bytes, signal) => {
      await call('put', [name, bytes], signal);
    },
    read: async (name, offset, length) => (await call('read', [name, offset, length])) ?? Buffer.alloc(0),
    list: async (after) => {
      const answer = await call('list', [after]);
      return answer ? (JSON.parse(Buffer.from(answer).toString()) as ListedObject[]) : [];
    },
    remove: async (name) => {
      await call('remove', [name]);
    },
  };
};
