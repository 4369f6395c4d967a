import { readFileSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { LogPlacement } from '@signalbox/contract';
import { z } from 'zod';
import { wholeNumber } from './whole-number.ts';

const KIND =
  'must be database, folder: and an absolute path, such as folder:/srv/signalbox-logs, or s3: and a bucket, such as s3:logs or s3:logs/signalbox';
const HOURS = 'must be a whole number of hours from 0 to 87600, or never';
const MAX_HOURS = 87_600;
/** A bucket, and a prefix of letters that need no encoding in a URL. */
const S3 = /^s3:([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w.-]+(?:\/[\w.-]+)*))?$/;
const FOLDER = 'folder:';

const isStore = (text: string): boolean =>
  text === 'database' || (text.startsWith(FOLDER) && isAbsolute(text.slice(FOLDER.length))) || S3.test(text);

const hasNoDots = (text: string): boolean => !text.split('/').some((part) => part === '.' || part === '..');

/** Settings of the store to which logs of ended tasks are moved. */
export const LOG_STORE_SETTINGS = {
  SIGNALBOX_LOG_STORE: z.string().refine(isStore, KIND).refine(hasNoDots, KIND).default('database'),
  SIGNALBOX_LOG_STORE_AFTER_HOURS: z.union([z.literal('never'), wholeNumber(0, MAX_HOURS, HOURS)], HOURS).default(1),
  SIGNALBOX_LOG_STORE_ENDPOINT: z
    .url({ protocol: /^https?$/, error: 'must be an address that starts with https:// or http://' })
    .refine((text) => URL.parse(text)?.pathname === '/' && !/[?#@]/.test(text), 'must be a host without path and user')
    .optional(),
  SIGNALBOX_LOG_STORE_REGION: z
    .string()
    .regex(/^[a-z0-9-]{1,50}$/, 'must be a region such as eu-central-1')
    .default('us-east-1'),
  SIGNALBOX_LOG_STORE_PATH_STYLE: z
    .union([z.boolean(), z.enum(['true', 'false']).transform((name) => name === 'true')], 'must be true or false')
    .default(true),
  SIGNALBOX_LOG_STORE_ACCESS_KEY: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces')
    .optional(),
  SIGNALBOX_LOG_STORE_SECRET: z.string().min(1).optional(),
  SIGNALBOX_LOG_STORE_SECRET_FILE: z
    .string()
    .refine(isAbsolute, 'must be an absolute path')
    .transform((path, context) => {
      try {
        const secret = readFileSync(path, 'utf8').trim();
        if (secret !== '') return secret;
        context.addIssue('names an empty file: write the secret into it');
      } catch (error) {
        context.addIssue(
          `cannot be read (${(error as NodeJS.ErrnoException).code}): let the user of the server read it`,
        );
      }
      return z.NEVER;
    })
    .optional(),
};

const Given = z.object(LOG_STORE_SETTINGS);
type Given = z.output<typeof Given>;

interface FolderTarget {
  readonly kind: 'folder';
  readonly folder: string;
}

export interface S3Target {
  readonly kind: 's3';
  readonly bucket: string;
  /** Empty, or the start of the names of all objects, without a slash at its end. */
  readonly prefix: string;
  /** The address of the store, without a slash at its end. */
  readonly endpoint: string;
  readonly region: string;
  /** Whether the bucket is the start of the path, and not of the host. */
  readonly pathStyle: boolean;
  readonly accessKey: string;
  readonly secret: string;
}

/** Where the objects of moved logs are. */
export type LogStoreTarget = FolderTarget | S3Target;

export interface LogStoreConfig {
  /** Undefined if all logs are in the database. */
  readonly target: LogStoreTarget | undefined;
  /** Hours between the end of a task and the move of its log; undefined if logs are only read from the store. */
  readonly afterHours: number | undefined;
}

/** Where logs of ended tasks are kept. */
export const placementOf = (target: LogStoreTarget | undefined): LogPlacement =>
  target === undefined ? 'database' : target.kind === 'folder' ? 'folder' : 'bucket';

/** Errors of settings that are valid one by one but not together. */
export const logStoreErrors = (s: Given): string[] => {
  if (!s.SIGNALBOX_LOG_STORE.startsWith('s3:')) return [];
  const { SIGNALBOX_LOG_STORE_SECRET: secret, SIGNALBOX_LOG_STORE_SECRET_FILE: inFile } = s;
  return [
    ...(s.SIGNALBOX_LOG_STORE_ACCESS_KEY === undefined ? ['SIGNALBOX_LOG_STORE_ACCESS_KEY: is required with s3:'] : []),
    ...((secret === undefined) === (inFile === undefined)
      ? ['SIGNALBOX_LOG_STORE_SECRET: is required with s3:, or SIGNALBOX_LOG_STORE_SECRET_FILE, but not both']
      : []),
  ];
};

const targetOf = (s: Given): LogStoreTarget | undefined => {
  const { SIGNALBOX_LOG_STORE: store, SIGNALBOX_LOG_STORE_REGION: region } = s;
  if (store === 'database') return undefined;
  const [, bucket, prefix = ''] = S3.exec(store) ?? [];
  if (bucket === undefined) return { kind: 'folder', folder: store.slice(FOLDER.length) };
  return {
    ...{ kind: 's3', bucket, prefix, region },
    endpoint: (s.SIGNALBOX_LOG_STORE_ENDPOINT ?? `https://s3.${region}.amazonaws.com`).replace(/\/$/, ''),
    pathStyle: s.SIGNALBOX_LOG_STORE_PATH_STYLE,
    accessKey: s.SIGNALBOX_LOG_STORE_ACCESS_KEY ?? '',
    secret: s.SIGNALBOX_LOG_STORE_SECRET ?? s.SIGNALBOX_LOG_STORE_SECRET_FILE ?? '',
  };
};

export const logStoreConfig = (s: Given): LogStoreConfig => ({
  target: targetOf(s),
  afterHours: s.SIGNALBOX_LOG_STORE_AFTER_HOURS === 'never' ? undefined : s.SIGNALBOX_LOG_STORE_AFTER_HOURS,
});
