import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { ROOT } from './node24.mjs';

/** A name of the kernel, not a file: it is free again as soon as its process ends, however it ends. Only Linux has such names. */
const NAME = `\0signalbox-prepare-${createHash('sha256').update(ROOT).digest('hex').slice(0, 16)}`;

/** Resolves once the process that holds the name has given it back. */
const holderGone = async () => {
  const socket = connect(NAME);
  socket.on('error', () => undefined);
  await once(socket, 'close');
};

/**
 * Does work that only one process may do at a time in this checkout; another one waits for its end.
 *
 * @param {() => Promise<void>} work
 */
export const oneAtATime = async (work) => {
  if (process.platform !== 'linux') return work();
  for (let told = false; ; told = true) {
    const open = new Set();
    const server = createServer((socket) => open.add(socket.on('error', () => undefined)));
    try {
      server.listen(NAME);
      await once(server, 'listening');
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EADDRINUSE') throw error;
      if (!told) process.stdout.write('Another start prepares this checkout: waiting for it.\n');
      await holderGone();
      continue;
    }
    try {
      return await work();
    } finally {
      server.close();
      for (const socket of open) socket.destroy();
    }
  }
};
