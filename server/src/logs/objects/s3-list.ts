import type { ListedObject } from './object-store.ts';

const OBJECTS = /<Contents>(.*?)<\/Contents>/gs;
const KEY = /<Key>([^<]+)<\/Key>/;
const MODIFIED = /<LastModified>([^<]+)<\/LastModified>/;

/** The objects of an answer to ListObjectsV2. Names of objects need no decoding; others are left out. */
export const parseList = (xml: string, prefix: string): ListedObject[] =>
  [...xml.matchAll(OBJECTS)].flatMap(([, content = '']) => {
    const [, key] = KEY.exec(content) ?? [];
    const modified = Date.parse(MODIFIED.exec(content)?.[1] ?? '');
    if (!key?.startsWith(prefix) || Number.isNaN(modified)) return [];
    return [{ name: key.slice(prefix.length), modified }];
  });

/** The query of a list of the objects below `logs/` after a name, sorted as signatures need it. */
export const listQuery = (prefix: string, after: string): string =>
  new URLSearchParams({
    'list-type': '2',
    'max-keys': '1000',
    prefix: `${prefix}logs/`,
    ...(after === '' ? {} : { 'start-after': `${prefix}${after}` }),
  })
    .toString()
    .replaceAll('+', '%20');
