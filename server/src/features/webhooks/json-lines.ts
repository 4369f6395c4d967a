import type { JsonPath } from '../../json-path.ts';

const SPACE = /[\s,:]*/y;
const STRING = /"(?:[^"\\]|\\.)*"/y;
/** Text without strings and without changes of the depth. */
const PLAIN = /[^"[\]{}]+/y;
const SCALAR = /[^\s,\]}]+/y;

const after = (pattern: RegExp, text: string, at: number): number => {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
};

/** The position behind the value at a position. */
const endOf = (text: string, start: number): number => {
  if (text[start] === '"') return after(STRING, text, start);
  if (text[start] !== '{' && text[start] !== '[') return after(SCALAR, text, start);
  let depth = 0;
  let at = start;
  do {
    const character = text[at];
    if (character === '"') at = after(STRING, text, at);
    else if (character === '{' || character === '[') {
      depth += 1;
      at += 1;
    } else if (character === '}' || character === ']') {
      depth -= 1;
      at += 1;
    } else at = after(PLAIN, text, at);
  } while (depth > 0 && at < text.length);
  return at;
};

/** The position of a member or an item in the object or array at a position. Of members with one name the last counts. */
const stepInto = (text: string, start: number, step: string): number | undefined => {
  const isObject = text[start] === '{';
  if (!isObject && text[start] !== '[') return undefined;
  let found: number | undefined;
  let index = 0;
  let at = after(SPACE, text, start + 1);
  while (at < text.length && text[at] !== '}' && text[at] !== ']') {
    let name = String(index);
    if (isObject) {
      const end = after(STRING, text, at);
      name = JSON.parse(text.slice(at, end)) as string;
      at = after(SPACE, text, end);
    }
    if (name === step) found = at;
    if (!isObject && found !== undefined) return found;
    index += 1;
    at = after(SPACE, text, endOf(text, at));
  }
  return found;
};

const lineAt = (text: string, position: number): number => text.slice(0, position).split('\n').length;

/**
 * The first and the last line of the value at a path, from 1; undefined without a value.
 * @param json a valid JSON text
 */
export const linesOf = (json: string, path: JsonPath): [first: number, last: number] | undefined => {
  let at = after(SPACE, json, 0);
  for (const step of path) {
    const next = stepInto(json, at, step);
    if (next === undefined) return undefined;
    at = next;
  }
  return [lineAt(json, at), lineAt(json, endOf(json, at))];
};
