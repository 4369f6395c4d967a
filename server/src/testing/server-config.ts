import { readConfig } from '../config.ts';

export const ADMIN_PASSWORD = 'right horse';

/** The settings of a server for tests: without a local runner, on any free port. */
export const serverConfig = (
  { folder, databaseUrl }: { readonly folder: string; readonly databaseUrl: string | undefined },
  settings: Readonly<Record<string, string>> = {},
) =>
  readConfig({
    SIGNALBOX_PORT: '0',
    SIGNALBOX_DATA: folder,
    SIGNALBOX_ADMIN_PASSWORD: ADMIN_PASSWORD,
    SIGNALBOX_RUNNER_SLOTS: '0',
    SIGNALBOX_LOG_LEVEL: 'silent',
    ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
    ...settings,
  });
