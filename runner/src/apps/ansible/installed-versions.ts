import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunVersions } from '@signalbox/contract';
import { MAX_RECORDED_REQUIREMENTS, MAX_VERSION_TEXT } from '@signalbox/contract/link';
import { z } from 'zod';
import { readPlainFile } from '../../files/plain-file.ts';

type Installed = RunVersions['collections'];

const Manifest = z.object({ collection_info: z.object({ version: z.string() }) });

const namesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { withFileTypes: true }).catch(() => []))
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();

/** Maximum bytes of a file that names a version. */
const MAX_BYTES = 64 * 1024;

/** The content of a file that others wrote; empty if it cannot be read. */
const read = (path: string): string => {
  try {
    return readPlainFile(path, MAX_BYTES);
  } catch {
    return '';
  }
};

const versionOfCollection = (folder: string): string => {
  try {
    return Manifest.parse(JSON.parse(read(join(folder, 'MANIFEST.json')))).collection_info.version;
  } catch {
    return '';
  }
};

const versionOfRole = (folder: string): string =>
  /^version:\s*['"]?([^'"\n]*)/m.exec(read(join(folder, 'meta', '.galaxy_install_info')))?.[1]?.trim() ?? '';

const limited = (found: Installed): Installed =>
  found.slice(0, MAX_RECORDED_REQUIREMENTS).map(({ name, version }) => ({
    name: name.slice(0, MAX_VERSION_TEXT),
    version: version.slice(0, MAX_VERSION_TEXT),
  }));

/** The versions of the collections and roles that ansible-galaxy installed into a folder. */
export const installedVersions = async (installed: string): Promise<Pick<RunVersions, 'collections' | 'roles'>> => {
  const collections: Installed = [];
  const namespaces = join(installed, 'collections', 'ansible_collections');
  // Next to the collections, ansible-galaxy keeps a folder of notes for each of them.
  for (const namespace of await namesIn(namespaces))
    for (const name of await namesIn(join(namespaces, namespace)))
      if (!namespace.includes('.') && !name.includes('.'))
        collections.push({
          name: `${namespace}.${name}`,
          version: versionOfCollection(join(namespaces, namespace, name)),
        });
  const folder = join(installed, 'roles');
  const roles = (await namesIn(folder)).map((name) => ({ name, version: versionOfRole(join(folder, name)) }));
  return { collections: limited(collections), roles: limited(roles) };
};
