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
import { join, relative } from 'node:path';
import { describe, onTestFinished } from 'vitest';
import type { LogStoreTarget } from '../../settings/log-store-settings.ts';

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
  away(): void;
  back(): void;
}

const makeFolder = (): TestObjectStore => {
  const parent = mkdtempSync(join(tmpdir(), 'signalbox-log-store-'));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  const folder = join(parent, 'store');
  mkdirSync(folder);
  return {
    target: { kind: 'folder', folder },
    settings: { SIGNALBOX_LOG_STORE: `folder:${folder}`, SIGNALBOX_LOG_STORE_AFTER_HOURS: '0' },
    names: () =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .map((name) => relative(folder, join(folder, name)))
        .filter((name) => statSync(join(folder, name)).isFile())
        .toSorted(),
    change: (name, change) => writeFileSync(join(folder, name), change(readFileSync(join(folder, name)))),
    away: () => renameSync(folder, `${folder}.away`),
    back: () => renameSync(`${folder}.away`, folder),
  };
};

const KINDS = { folder: makeFolder } as const;

/** Runs a suite with each kind of log store. */
export const describeEachLogStore = (
  title: string,
  suite: (make: () => TestObjectStore | Promise<TestObjectStore>) => void,
): void => {
  describe.each(Object.keys(KINDS) as (keyof typeof KINDS)[])(`${title} in a store of the kind %s`, (kind) =>
    suite(KINDS[kind]),
  );
};
