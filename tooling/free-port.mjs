import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Ports below those that Linux assigns to outgoing connections (from 32768 on). Tests restart servers on the same port, which
 * no connection may occupy meanwhile.
 */
const [LOWEST, HIGHEST] = [20_000, 32_000];

/** @returns {Promise<boolean>} */
const isFree = (/** @type {number} */ port) =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });

/** Returns a port of 127.0.0.1 on which no program listens. */
export const freePort = async () => {
  for (;;) {
    const port = randomInt(LOWEST, HIGHEST);
    if (await isFree(port)) return port;
  }
};
