import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, onTestFinished } from 'vitest';
import type { LogStoreTarget, S3Target } from '../../settings/log-store-settings.ts';
import { startS3Server } from './s3-server.ts';
import { startVersityGateway } from './versity-gateway.ts';

/** A log store of a test, and what a test does behind the back of the server. */
export interface TestObjectStore {
  readonly target: LogStoreTarget;
  /** Settings of a server that moves logs to it at once. */
  readonly settings: Readonly<Record<string, string>>;
  /** Names of all objects. */
  names(): string[];
  /** Replaces the bytes of an object. */
  change(name: string, change: (bytes: Buffer) => Buffer): void;
  /** Lets it fail until `back`. */
  away(): Promise<void>;
  back(): Promise<void>;
}

const AT_ONCE = { SIGNALBOX_LOG_STORE_AFTER_HOURS: '0' };

/** Names and bytes of the objects that a folder contains. */
const filesIn = (folder: string): Pick<TestObjectStore, 'names' | 'change'> => ({
  names: () =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => !name.startsWith('.') && statSync(join(folder, name)).isFile())
      .toSorted(),
  change: (name, change) => writeFileSync(join(folder, name), change(readFileSync(join(folder, name)))),
});

const makeParent = (): string => {
  const parent = mkdtempSync(join(tmpdir(), 'signalbox-log-store-'));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  return parent;
};

export const makeFolder = (): TestObjectStore & { readonly folder: string } => {
  const folder = join(makeParent(), 'store');
  mkdirSync(folder);
  return {
    folder,
    target: { kind: 'folder', folder },
    settings: { SIGNALBOX_LOG_STORE: `folder:${folder}`, ...AT_ONCE },
    ...filesIn(folder),
    away: async () => renameSync(folder, `${folder}.away`),
    back: async () => renameSync(`${folder}.away`, folder),
  };
};

const KEYS = { accessKey: 'test-key', secret: 'a secret/with+characters' };
const BUCKET = 'logs';
const PREFIX = 'signal/box';

const s3Settings = ({ bucket, prefix, endpoint, accessKey, secret }: S3Target): Record<string, string> => ({
  SIGNALBOX_LOG_STORE: `s3:${bucket}/${prefix}`,
  SIGNALBOX_LOG_STORE_ENDPOINT: endpoint,
  SIGNALBOX_LOG_STORE_ACCESS_KEY: accessKey,
  SIGNALBOX_LOG_STORE_SECRET: secret,
  ...AT_ONCE,
});

const s3Target = (endpoint: string): S3Target => ({
  ...{ kind: 's3', bucket: BUCKET, prefix: PREFIX, endpoint, region: 'us-east-1', pathStyle: true },
  ...KEYS,
});

const makeS3 = async (): Promise<TestObjectStore> => {
  const { endpoint, objects, stop, back } = await startS3Server(BUCKET, KEYS);
  onTestFinished(stop);
  const target = s3Target(endpoint);
  const inBucket = (name: string) => `${PREFIX}/${name}`;
  return {
    target,
    settings: s3Settings(target),
    names: () => [...objects.keys()].map((name) => name.slice(inBucket('').length)).toSorted(),
    change: (name, change) => {
      objects.set(inBucket(name), change(objects.get(inBucket(name)) ?? Buffer.alloc(0)));
    },
    away: stop,
    back: async () => {
      await back();
    },
  };
};

const makeGateway = async (): Promise<TestObjectStore> => {
  const parent = makeParent();
  const { endpoint, start, stop } = await startVersityGateway(parent, BUCKET, KEYS);
  onTestFinished(stop);
  const target = s3Target(endpoint);
  return {
    target,
    settings: s3Settings(target),
    ...filesIn(join(parent, BUCKET, PREFIX)),
    away: stop,
    back: start,
  };
};

type Make = () => TestObjectStore | Promise<TestObjectStore>;

const KINDS: Readonly<Record<string, Make>> = {
  folder: makeFolder,
  s3: makeS3,
  ...(process.env.SIGNALBOX_TEST_VERSITYGW === undefined ? undefined : { versitygw: makeGateway }),
};

/**
 * Runs a suite with each kind of log store: a folder, a small S3 server, and Versity S3 Gateway if
 * SIGNALBOX_TEST_VERSITYGW is the path of its program.
 */
export const describeEachLogStore = (title: string, suite: (make: Make) => void): void => {
  for (const [kind, make] of Object.entries(KINDS))
    describe(`${title} in a store of the kind ${kind}`, () => suite(make));
};
