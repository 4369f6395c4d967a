import type { ListedObject } from './object-store.ts';

const OBJECTS = /<Contents>(.*?)<\/Contents>/gs;
const KEY = /<Key>([^<]+)<\/Key>/;
const MODIFIED = /<LastModified>([^<]+)<\/LastModified>/;
const ENTITY = /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/gi;
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const LAST_CHARACTER = 0x10_ff_ff;

const decodeXml = (text: string): string =>
  text.replace(ENTITY, (entity: string, hex?: string, decimal?: string, name = '') => {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    if (hex === undefined && decimal === undefined) return NAMED[name.toLowerCase()] ?? entity;
    return code <= LAST_CHARACTER ? String.fromCodePoint(code) : entity;
  });

/** The objects of an answer to ListObjectsV2. */
export const parseList = (xml: string, prefix: string): ListedObject[] =>
  [...xml.matchAll(OBJECTS)].flatMap(([, content = '']) => {
    const key = decodeXml(KEY.exec(content)?.[1] ?? '');
    const modified = Date.parse(MODIFIED.exec(content)?.[1] ?? '');
    if (!key.startsWith(prefix) || Number.isNaN(modified)) return [];
    return [{ name: key.slice(prefix.length), modified }];
  });

/** The query of a list of the objects below `logs/` after a name, sorted and encoded as signatures need it. */
export const listQuery = (prefix: string, after: string): string =>
  new URLSearchParams({
    'list-type': '2',
    'max-keys': '1000',
    prefix: `${prefix}logs/`,
    ...(after === '' ? {} : { 'start-after': `${prefix}${after}` }),
  })
    .toString()
    .replaceAll('+', '%20')
    .replaceAll('*', '%2A')
    .replaceAll('%7E', '~');
