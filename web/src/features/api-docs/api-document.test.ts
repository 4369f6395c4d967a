import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROUTE_TABLE } from '@signalbox/contract';
import { describe, expect, it } from 'vitest';
import { type ApiCall, type ApiDocument, readGroups, readShape, searchGroups } from './api-document.ts';
import { curlCommand } from './curl.ts';
import { ruleTexts, typeText } from './schema-text.ts';

const FILE = join(import.meta.dirname, '../../../../docs/api/openapi.json');
const document = JSON.parse(readFileSync(FILE, 'utf8')) as ApiDocument;
const groups = readGroups(document);
const calls = groups.flatMap((group) => group.calls);
const find = (name: string): ApiCall => {
  const found = calls.find((one) => one.name === name);
  if (!found) throw new Error(`No call ${name}`);
  return found;
};
const text = (schema: Parameters<typeof typeText>[0]): string => Object.values(typeText(schema)).join('');

describe('the groups of the API page', () => {
  it('contain every call of the API once', () => {
    expect(calls.map(({ name }) => name).toSorted()).toEqual(Object.keys(ROUTE_TABLE).toSorted());
    for (const group of groups) expect(group.calls, group.name).not.toHaveLength(0);
  });

  it('resolve the references of the document', () => {
    const call = find('listTasks');
    expect(call.parameters.map(({ name }) => name)).toEqual(expect.arrayContaining(['limit', 'If-None-Match']));
    expect(call.answers.map(({ status }) => status)).toEqual(['200', '304']);
    for (const { status, note } of calls.flatMap((one) => [...one.answers, ...one.errors]))
      expect(note, status).toMatch(/\.$/);
    expect(readShape(document, find('createTask').body?.schema ?? {}).properties).toHaveProperty('template_id');
  });

  it('are filtered by every search term, in any order', () => {
    const names = (search: string) =>
      searchGroups(groups, search).flatMap((group) => group.calls.map(({ name }) => name));
    expect(names('')).toHaveLength(calls.length);
    expect(names('  CRON validate ')).toEqual(['validateSchedule']);
    expect(names('post /keys')).toContain('createKey');
    expect(names('nothing like it')).toEqual([]);
    expect(searchGroups(groups, 'keys').map(({ name }) => name)).toContain('Keys');
  });
});

describe('the curl command of a call', () => {
  it('contains a token and the body, and nothing that a shell would interpret', () => {
    const call = find('createTask');
    const odd = { ...call, body: { note: '', schema: {}, example: { message: "it's $HOME `id`" } } };
    expect(curlCommand(odd, 'https://x/box/api')).toBe(
      [
        `curl -X POST 'https://x/box/api/project/1/tasks' \\`,
        `  -H "Authorization: Bearer $SIGNALBOX_TOKEN" \\`,
        `  -H 'Content-Type: application/json' \\`,
        `  -d '{`,
        String.raw`  "message": "it'\''s $HOME ${'`id`'}"`,
        `}'`,
      ].join('\n'),
    );
  });

  it('has no token for a call that needs no sign-in', () => {
    expect(curlCommand(find('ping'), 'http://x/api')).toBe(`curl 'http://x/api/ping'`);
  });
});

describe('the text of a value', () => {
  it.each([
    [{ type: 'string' }, 'text'],
    [{ type: ['integer', 'null'] }, 'whole number or null'],
    [{ type: ['string', 'null'], format: 'date-time' }, 'date and time or null'],
    [{ type: 'array', items: { $ref: '#/components/schemas/Task' } }, 'list of Task'],
    [{ anyOf: [{ $ref: '#/components/schemas/Task' }, { type: 'null' }] }, 'Task or null'],
    [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, 'text or number'],
    [{ type: 'array', prefixItems: [{ type: 'number' }, { type: 'string' }] }, '[number, text]'],
    [{ type: 'object', additionalProperties: { type: 'boolean' } }, 'by name: true or false'],
    [{}, 'anything'],
  ])('%j is %s', (schema, expected) => expect(text(schema)).toBe(expected));

  it.each([
    [{ minimum: 1, maximum: 1000 }, ['1 to 1,000']],
    [{ minimum: 1, maximum: 2_147_483_647 }, []],
    [{ maximum: 5 }, ['At most 5']],
    [{ minLength: 1, maxLength: 255 }, ['1 to 255 characters']],
    [{ enum: ['a', ''] }, ['One of "a", ""']],
    [{ const: 'play' }, ['Always "play"']],
    [{ maxItems: 3, default: '' }, ['At most 3 items', 'Default: empty']],
    [{ default: false }, ['Default: false']],
  ])('%j: %j', (schema, expected) => expect(ruleTexts(schema)).toEqual(expected));
});
