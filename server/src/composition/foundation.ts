import type { FastifyInstance } from 'fastify';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import { makeApp } from '../http/edge/app.ts';
import { HostNames } from '../secrets/host-names.ts';
import { type InputDigest, inputDigestOf } from '../secrets/input-digest.ts';
import { openDerivedSecret, type RunKeys, runKeysOf } from '../secrets/run-keys.store.ts';
import { ServerKeys } from '../secrets/server-keys.ts';
import { openStorage, type Storage } from './storage.ts';

/** What every other part of a server needs. Its storage is open and migrated. */
export interface Foundation {
  readonly config: Config;
  readonly clock: Clock;
  readonly app: FastifyInstance;
  readonly storage: Storage;
  readonly runKeys: RunKeys;
  readonly hostNames: HostNames;
  readonly inputDigest: InputDigest;
  readonly shutdown: Shutdown;
  /** Returns the public address of the console, without a trailing slash. Empty until the port is open. */
  readonly publicAddress: () => string;
  /** Sets the address for servers without a configured public address. */
  readonly setAddress: (address: string) => void;
  /** Closes the storage. Must be called last. */
  close(): Promise<void>;
}

/** Whether the server is stopping. New calls and sockets are refused then. */
export interface Shutdown {
  readonly isStopping: boolean;
  begin(): void;
}

const makeShutdown = (): Shutdown => {
  let isStopping = false;
  return {
    get isStopping() {
      return isStopping;
    },
    begin: () => {
      isStopping = true;
    },
  };
};

const openApp = async ({ logLevel, trustedProxies, pathPrefix }: Config, storage: () => Storage | undefined) =>
  await makeApp({
    logLevel,
    trustedProxies,
    pathPrefix,
    databaseErrors: {
      isUnavailable: (error) => storage()?.database.capabilities.isUnavailable(error) ?? false,
      isFull: (error) => storage()?.database.capabilities.isFull(error) ?? false,
      isDangling: (error) => storage()?.database.capabilities.isDangling(error) ?? false,
    },
  });

/** Opens the storage and the keys of a server. */
export const layFoundation = async (config: Config, clock: Clock): Promise<Foundation> => {
  let opened: Storage | undefined;
  const app = await openApp(config, () => opened);
  const storage = await openStorage(config, {
    onLost: (error) => app.log.warn({ err: error }, 'a connection to the database was lost'),
    onLogStoreAway: (error) => app.log.warn({ err: error }, 'the log store does not answer; logs are moved later'),
  });
  opened = storage;
  const { database, master } = storage;
  const serverKeys = new ServerKeys(database, master, (error) =>
    app.log.warn({ err: error }, 'the keys of this server could not be stored; it will be retried'),
  );
  // Before the first secret is read, so that `vault rekey` always sees a server that uses secrets.
  await serverKeys.start();
  const derived = await openDerivedSecret(database, master);
  let address = '';
  return {
    config,
    clock,
    app,
    storage,
    runKeys: runKeysOf(derived),
    hostNames: new HostNames(derived),
    inputDigest: inputDigestOf(derived),
    shutdown: makeShutdown(),
    publicAddress: () => (config.publicUrl ?? address).replace(/\/$/, ''),
    setAddress: (local) => {
      address = local;
    },
    close: async () => {
      await serverKeys.stop();
      await storage.close();
    },
  };
};
