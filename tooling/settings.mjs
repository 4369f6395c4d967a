import { accessSync, constants, existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, resolve } from 'node:path';
import { ROOT } from './node24.mjs';
import { Refusal } from './steps.mjs';

const port = () => Number(process.env.SIGNALBOX_PORT || 3000);
const host = () => process.env.SIGNALBOX_HOST || '127.0.0.1';
const dataFolder = () => resolve(ROOT, process.env.SIGNALBOX_DATA || 'data');

/** Refuses when the data folder, or the nearest folder above that exists, cannot be written. */
const checkDataFolder = () => {
  const folder = dataFolder();
  let nearest = folder;
  while (!existsSync(nearest) && dirname(nearest) !== nearest) nearest = dirname(nearest);
  try {
    accessSync(nearest, constants.W_OK | constants.X_OK);
  } catch {
    throw new Refusal(
      `The data folder ${folder} cannot be written. Give this user access to it, or set SIGNALBOX_DATA to another folder.`,
    );
  }
};

/** @returns {Promise<void>} Refuses when another program listens where the server wants to. */
const checkPort = () =>
  new Promise((done, refuse) => {
    if (!Number.isInteger(port()) || port() < 0 || port() > 65_535) {
      refuse(
        new Refusal(
          `SIGNALBOX_PORT is ${process.env.SIGNALBOX_PORT}, which is no port. Set it to a number from 1 to 65535.`,
        ),
      );
      return;
    }
    const probe = createServer();
    probe.on('error', (error) => {
      const code = 'code' in error ? error.code : '';
      refuse(
        new Refusal(
          code === 'EADDRINUSE'
            ? `Port ${port()} on ${host()} is in use by another program. Stop it, or set SIGNALBOX_PORT to a free port.`
            : `The server cannot listen on ${host()}, port ${port()} (${code}). Set SIGNALBOX_HOST and SIGNALBOX_PORT to an address of this machine.`,
        ),
      );
    });
    probe.listen(port(), host(), () => probe.close(() => done()));
  });

/** Reports early what would prevent the start of the server anyway. The server checks again. */
export const checkSettings = async () => {
  // Settings in a file are read by the server alone.
  if (process.env.SIGNALBOX_CONFIG) return;
  checkDataFolder();
  await checkPort();
};
