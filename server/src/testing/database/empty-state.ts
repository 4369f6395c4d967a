import { openState } from '../../composition/storage.ts';
import { readConfig } from '../../config.ts';
import type { TestLocation } from './databases.ts';

/** Creates an empty state database, because commands refuse to run without one. */
export const makeEmptyState = async (location: Pick<TestLocation, 'folder' | 'databaseUrl'>): Promise<void> => {
  const settings = {
    SIGNALBOX_DATA: location.folder,
    ...(location.databaseUrl && { DATABASE_URL: location.databaseUrl }),
  };
  const database = await openState(readConfig(settings), () => undefined);
  await database.close();
};
