import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { ROOT } from './node24.mjs';

/** An abstract Unix socket, not a file: the kernel frees the name when the process ends, even after a kill. Linux only. */
const NAME = `\0signalbox-prepare-${createHash('sha256').update(ROOT).digest('hex').slice(0, 16)}`;

/** Resolves when the process with the name has released it. */
const holderGone = async () => {
  const socket = connect(NAME);
  socket.on('error', () => undefined);
  await once(socket, 'close');
};

/**
 * Runs work that only one process at a time may do in this checkout. Other processes wait for their turn.
 *
 * @param {() => Promise<void>} work
 */
export const oneAtATime = async (work) => {
  if (process.platform !== 'linux') return work();
  for (let isWaiting = false; ; isWaiting = true) {
    const open = new Set();
    const server = createServer((socket) => open.add(socket.on('error', () => undefined)));
    try {
      server.listen(NAME);
      await once(server, 'listening');
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EADDRINUSE') throw error;
      if (!isWaiting) process.stdout.write('Another npm start is preparing this checkout; waiting for it.\n');
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
