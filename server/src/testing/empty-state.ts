import { openState } from '../composition/storage.ts';
import { readConfig } from '../config.ts';
import type { Place } from './databases.ts';

/** Creates an empty state database, because commands refuse to run without one. */
export const makeEmptyState = async (place: Pick<Place, 'folder' | 'databaseUrl'>): Promise<void> => {
  const settings = { SIGNALBOX_DATA: place.folder, ...(place.databaseUrl && { DATABASE_URL: place.databaseUrl }) };
  const database = await openState(readConfig(settings), () => undefined);
  await database.close();
};
