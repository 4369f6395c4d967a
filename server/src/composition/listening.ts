import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import { StartError } from '../start-error.ts';
import type { Edge } from './edge.ts';
import type { Foundation } from './foundation.ts';

declare const opened: unique symbol;

/** Proof that the port is open. Only `listen` creates one. */
export interface Listening {
  readonly [opened]: true;
  /** Address for users, without a trailing slash. */
  readonly address: string;
}

const localAddress = (config: Config, port: number): string => {
  const host = config.host === '0.0.0.0' || config.host === '::' ? 'localhost' : config.host;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
};

const openPort = async (app: FastifyInstance, { host, port }: Config): Promise<number> => {
  try {
    await app.listen({ host, port });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE')
      throw new StartError(
        `Port ${port} on ${host} is in use. Stop the program that uses it, or set SIGNALBOX_PORT to another port.`,
      );
    if (code === 'EACCES')
      throw new StartError(`This user must not use port ${port}. Set SIGNALBOX_PORT to a port above 1023.`);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new StartError(`${host} is not an address of this machine. Set SIGNALBOX_HOST to an address of it.`);
    throw error;
  }
  const address = app.server.address();
  return typeof address === 'object' && address ? address.port : port;
};

/** Opens the port. Calls that arrive wait until the edge is opened. */
export const listen = async ({ app, config, setAddress }: Foundation, _edge: Edge): Promise<Listening> => {
  const address = localAddress(config, await openPort(app, config));
  setAddress(address);
  return { address: config.publicUrl ?? address } as Listening;
};
