import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below the ports that Linux gives to outgoing connections, from 32768 on: what listens there is started again on its
 * port, which no other program may use meanwhile.
 */
const [LOWEST, HIGHEST] = [20_000, 32_000];

/** @returns {Promise<boolean>} */
const isFree = (/** @type {number} */ port) =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });

/** A port of 127.0.0.1 on which nothing listens now. */
export const freePort = async () => {
  for (;;) {
    const port = randomInt(LOWEST, HIGHEST);
    if (await isFree(port)) return port;
  }
};
