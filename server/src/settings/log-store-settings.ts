import { isAbsolute } from 'node:path';
import { z } from 'zod';

const KIND = 'must be database, or folder: and an absolute path, such as folder:/srv/signalbox-logs';
const HOURS = 'must be a whole number of hours from 0 to 87600, or never';
const MAX_HOURS = 87_600;

const isStore = (text: string): boolean =>
  text === 'database' || (text.startsWith('folder:') && isAbsolute(text.slice('folder:'.length)));

/** Settings of the store to which logs of ended tasks are moved. */
export const LOG_STORE_SETTINGS = {
  SIGNALBOX_LOG_STORE: z.string().refine(isStore, KIND).default('database'),
  SIGNALBOX_LOG_STORE_AFTER_HOURS: z
    .union(
      [
        z.literal('never'),
        z.number(),
        z
          .string()
          .regex(/^\d{1,5}$/)
          .transform(Number),
      ],
      HOURS,
    )
    .refine((hours) => hours === 'never' || (Number.isInteger(hours) && hours >= 0 && hours <= MAX_HOURS), HOURS)
    .default(1),
};

const Given = z.object(LOG_STORE_SETTINGS);

/** Where the objects of moved logs are. */
export interface LogStoreTarget {
  readonly kind: 'folder';
  readonly folder: string;
}

export interface LogStoreConfig {
  /** Undefined if all logs are in the database. */
  readonly target: LogStoreTarget | undefined;
  /** Hours between the end of a task and the move of its log; undefined if logs are only read from the store. */
  readonly afterHours: number | undefined;
}

const targetOf = (s: z.output<typeof Given>): LogStoreTarget | undefined =>
  s.SIGNALBOX_LOG_STORE === 'database'
    ? undefined
    : { kind: 'folder', folder: s.SIGNALBOX_LOG_STORE.slice('folder:'.length) };

export const logStoreConfig = (s: z.output<typeof Given>): LogStoreConfig => ({
  target: targetOf(s),
  afterHours: s.SIGNALBOX_LOG_STORE_AFTER_HOURS === 'never' ? undefined : s.SIGNALBOX_LOG_STORE_AFTER_HOURS,
});
