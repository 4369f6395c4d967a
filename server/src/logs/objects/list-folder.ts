import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ListedObject } from './object-store.ts';

const FOLDER = 'logs';

/** The names in a folder, in order; none without the folder, or in a file. */
const namesIn = async (folder: string): Promise<string[]> => {
  try {
    return (await readdir(folder)).toSorted();
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
};

const listed = async (root: string, name: string): Promise<ListedObject | undefined> => {
  try {
    return { name, modified: (await stat(join(root, name))).mtimeMs };
  } catch (error) {
    // Removed meanwhile.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
};

/** Lists the objects of the next folder that has some after a name, without those that are being written. */
export const listFolder = async (root: string, after: string): Promise<ListedObject[]> => {
  const [, group = '', file = ''] = after.split('/');
  for (const folder of await namesIn(join(root, FOLDER))) {
    if (folder < group) continue;
    const files = (await namesIn(join(root, FOLDER, folder))).filter(
      (name) => !name.endsWith('.part') && (folder > group || name > file),
    );
    const objects: ListedObject[] = [];
    for (const name of files) {
      const object = await listed(root, `${FOLDER}/${folder}/${name}`);
      if (object) objects.push(object);
    }
    if (objects.length > 0) return objects;
  }
  return [];
};
