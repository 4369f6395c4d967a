import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readConfig } from '../config.ts';

const S3 = { SIGNALBOX_LOG_STORE: 's3:logs/a/b', SIGNALBOX_LOG_STORE_ACCESS_KEY: 'key' };

it('keeps logs in the database unless a log store is set', () => {
  expect(readConfig({}).logStore).toEqual({ target: undefined, afterHours: 1 });
});

it('reads a folder, and when logs are moved', () => {
  const folder = { SIGNALBOX_LOG_STORE: 'folder:/srv/logs' };
  expect(readConfig({ ...folder, SIGNALBOX_LOG_STORE_AFTER_HOURS: '0' }).logStore).toEqual({
    target: { kind: 'folder', folder: '/srv/logs' },
    afterHours: 0,
  });
  expect(readConfig({ ...folder, SIGNALBOX_LOG_STORE_AFTER_HOURS: 'never' }).logStore.afterHours).toBeUndefined();
});

it('reads a bucket with its prefix, and the secret from a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-settings-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'secret');
  writeFileSync(file, 'from the file\n');
  const settings = { ...S3, SIGNALBOX_LOG_STORE_REGION: 'eu-west-1', SIGNALBOX_LOG_STORE_SECRET_FILE: file };
  expect(readConfig(settings).logStore.target).toEqual({
    ...{ kind: 's3', bucket: 'logs', prefix: 'a/b', region: 'eu-west-1', pathStyle: true },
    ...{ endpoint: 'https://s3.eu-west-1.amazonaws.com', accessKey: 'key', secret: 'from the file' },
  });
});

it.each([
  [{ SIGNALBOX_LOG_STORE: 'folder:logs' }, 'SIGNALBOX_LOG_STORE: must be database, folder:'],
  [{ SIGNALBOX_LOG_STORE: 's3:logs/../x' }, 'SIGNALBOX_LOG_STORE: must be database, folder:'],
  [{ SIGNALBOX_LOG_STORE_AFTER_HOURS: '-1' }, 'SIGNALBOX_LOG_STORE_AFTER_HOURS: must be'],
  [{ SIGNALBOX_LOG_STORE: 's3:logs' }, 'SIGNALBOX_LOG_STORE_ACCESS_KEY: is required'],
  [S3, 'SIGNALBOX_LOG_STORE_SECRET: is required'],
  [{ ...S3, SIGNALBOX_LOG_STORE_SECRET_FILE: '/none' }, 'SIGNALBOX_LOG_STORE_SECRET_FILE: cannot be read (ENOENT)'],
])('refuses settings that are wrong: %#', (settings, text) => {
  expect(() => readConfig(settings)).toThrow(text);
});
