import { folderObjectStore } from './folder-object-store.ts';
import type { FolderMessage, FolderReply } from './folder-store.messages.ts';
import { logStoreProblem } from './object-store.ts';

/**
 * `node folder-store.worker.ts <folder>`: uses the folder of a log store for the process that started it. A folder that
 * does not answer blocks only this process, which can be killed.
 */
const [, , folder = ''] = process.argv;
const store = folderObjectStore(folder);
const writes = new Map<number, AbortController>();

/** Time for aborted writes to delete their partial files after the other process has ended, in milliseconds. */
const END_MS = 1_000;

const answer = async (call: Exclude<FolderMessage, { method: 'abort' }>): Promise<Buffer | undefined> => {
  if (call.method === 'read') return await store.read(...call.args);
  if (call.method === 'list') return Buffer.from(JSON.stringify(await store.list(...call.args)));
  if (call.method === 'remove') {
    await store.remove(...call.args);
    return undefined;
  }
  const [name, bytes] = call.args;
  const write = new AbortController();
  writes.set(call.id, write);
  try {
    await store.put(name, bytes, write.signal);
  } finally {
    writes.delete(call.id);
  }
  return undefined;
};

const reply = (message: FolderReply): void => {
  if (process.connected) process.send?.(message);
};

process.on('message', async (message: FolderMessage) => {
  const { id } = message;
  if (message.method === 'abort') {
    writes.get(id)?.abort();
    return;
  }
  try {
    reply({ id, value: await answer(message) });
  } catch (error) {
    reply({ id, problem: logStoreProblem(error) ?? 'away', message: (error as Error).message });
  }
});

// The signals of a terminal or of a service manager reach the server too, which ends its writes first.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

process.on('disconnect', () => {
  for (const write of writes.values()) write.abort();
  // An orderly exit waits for calls that the folder does not answer.
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), END_MS).unref();
});
