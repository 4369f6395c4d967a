import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChoiceSource } from '@signalbox/contract';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../clock.ts';
import { makeCertificate } from '../../testing/certificate.ts';
import { describeOneDatabase } from '../../testing/database/databases.ts';
import { sampleProject } from '../../testing/sample-project.ts';
import { startTestServer } from '../../testing/test-server.ts';
import { addressCheck, choicesIn, nameVariable, readAddress } from './address-source.ts';
import { SourceCache } from './source-cache.ts';

const SOURCE = { type: 'address', template_id: null, url: '', path: '', value_path: '', name_path: '' } as const;

describe('an address of choices', () => {
  const isAllowed = addressCheck(['https://cmdb.example.org/api', 'http://localhost:8080']);

  it.each([
    ...['https://cmdb.example.org/api', 'https://cmdb.example.org/api/x?y=1', 'https://cmdb.example.org:443/api/'],
    ...['http://localhost:8080', 'http://localhost:8080/any', 'https://cmdb.example.org/api/Gr%C3%BC%C3%9Fe%20all'],
  ])('may be %s', (address) => expect(isAllowed(address)).toBe(true));

  it.each([
    ...['', 'cmdb.example.org/api', 'http://cmdb.example.org/api', 'https://cmdb.example.org.evil.example/api'],
    ...['https://cmdb.example.org/apis', 'https://cmdb.example.org/api/../admin', 'https://cmdb.example.org:8443/api'],
    ...['https://user@cmdb.example.org/api', 'https://cmdb.example.org@evil.example/api', 'file:///etc/passwd'],
    ...['https://cmdb.example.org/api/..%2fadmin', 'https://cmdb.example.org/api/%2e%2e/admin'],
    ...['https://cmdb.example.org/api/..;/admin', 'https://cmdb.example.org/api/%252e%252e/admin'],
    ...['https://cmdb.example.org/api/..%c0%afadmin', 'https://cmdb.example.org/api/..%u2215admin'],
    ...['https://cmdb.example.org/api/..%5Cadmin', 'https://cmdb.example.org/api\\..\\admin'],
    'http://127.0.0.1:8080/',
  ])('may not be %s', (address) => expect(isAllowed(address)).toBe(false));
});

describe('the choices in an answer', () => {
  const read = (answer: unknown, paths: Partial<ChoiceSource> = {}) =>
    choicesIn(JSON.stringify(answer), { ...SOURCE, ...paths });

  it('are texts, numbers, objects with a value and a name, or the values at paths', () => {
    expect(read(['a', 1, true])?.map(({ value }) => value)).toEqual(['a', '1', 'true']);
    expect(read([{ value: 'a', name: 'First' }, { value: 2 }])).toEqual([
      { value: 'a', name: 'First' },
      { value: '2', name: '' },
    ]);
    const paths = { path: '$.data.items', value_path: '$.id', name_path: "$.meta['the title']" };
    const items = [{ id: 7, meta: { 'the title': 'Seven' } }, { id: 'x' }];
    expect(read({ data: { items } }, paths)).toEqual([
      { value: '7', name: 'Seven' },
      { value: 'x', name: '' },
    ]);
  });

  it('leave out entries without a value, values that come again, and what is too long or too much', () => {
    expect(read([1, 1, { value: '1', name: 'One' }, 2])?.map(({ value }) => value)).toEqual(['1', '2']);
    expect(read(['', null, {}, [], 'x'.repeat(1025), 'ok', { value: { a: 1 } }])).toEqual([{ value: 'ok', name: '' }]);
    expect(read(Array.from({ length: 6000 }, (_, n) => n))).toHaveLength(5000);
  });

  it('are none when there is no list', () => {
    for (const answer of [{}, 'text', 1, null, { items: {} }])
      expect(read(answer, { path: '$.items' })).toBeUndefined();
    expect(choicesIn('<html>', SOURCE)).toBeUndefined();
  });
});

describe('an address without choices', () => {
  it('is asked once for two variables at a time, and the error names each', async () => {
    const cache = new SourceCache(systemClock);
    let asked = 0;
    const ask = () => {
      asked += 1;
      return readAddress({ addresses: [], ca: undefined }, { ...SOURCE, url: 'https://cmdb.example.org/api' });
    };
    const read = (title: string) => cache.read(['address'], ask).catch((error: unknown) => nameVariable(error, title));
    const both = await Promise.allSettled([read('First'), read('Second')]);
    expect(both).toMatchObject([
      { reason: { code: 'conflict.choice_address', params: { title: 'First' } } },
      { reason: { code: 'conflict.choice_address', params: { title: 'Second' } } },
    ]);
    expect(asked).toBe(1);
  });
});

describeOneDatabase('choices from a web address', (makeLocation) => {
  it('are read over HTTPS from allowed addresses only, at most once a minute, and checked', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'signalbox-choices-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const { certificate, key } = makeCertificate(folder);
    const requests: string[] = [];
    const answers: Record<string, readonly [status: number, body: string]> = {
      '/api/releases': [200, '{"items":[{"value":"1.2","name":"Spring"},{"value":"1.1"}]}'],
      '/api/broken': [500, 'no'],
      '/api/moved': [302, ''],
      '/api/other': [200, '{"items":"none"}'],
      '/api/endless': [200, `["${'x'.repeat(600_000)}"]`],
    };
    const web = createServer({ cert: readFileSync(certificate), key: readFileSync(key) }, ({ url = '' }, response) => {
      requests.push(url);
      const [status, body] = answers[url] ?? [404, ''];
      response.writeHead(status, { location: '/api/releases' }).end(body);
    });
    onTestFinished(() => void web.close());
    await new Promise<void>((resolve) => void web.listen(0, '127.0.0.1', resolve));
    const base = `https://localhost:${(web.address() as AddressInfo).port}/api`;
    const server = await startTestServer(await makeLocation(), {
      SIGNALBOX_CHOICE_ADDRESSES: `https://cmdb.example.org, ${base}`,
      SIGNALBOX_CHOICE_CA: certificate,
    });
    const admin = await server.signIn();
    const sample = await sampleProject(admin);
    const source = (name: string) => ({ type: 'address', url: `${base}/${name}`, path: '$.items' });
    const survey_vars = Object.keys(answers).map((path) => {
      const name = path.slice('/api/'.length);
      return { name, title: name, type: 'enum', source: source(name) };
    });
    const template_id = await sample.template({ survey_vars });
    const choices = (name: string) => admin.get(`${sample.base}/templates/${template_id}/choices/${name}`);
    const start = (environment: object) =>
      admin.post(`${sample.base}/tasks`, { template_id, environment: JSON.stringify(environment) });

    expect((await choices('releases')).json()).toEqual([
      { value: '1.2', name: 'Spring' },
      { value: '1.1', name: '' },
    ]);
    expect((await start({ releases: '1.1' })).statusCode).toBe(201);
    expect((await start({ releases: '1.0' })).json().fields).toEqual({
      'environment.releases': 'releases must be one of the choices',
    });
    expect(requests).toEqual(['/api/releases']);
    for (const [name, code, text] of [
      ['broken', 'conflict.choice_request', '(500)'],
      ['moved', 'conflict.choice_request', '(302)'],
      ['other', 'conflict.choice_list', 'no list'],
      ['endless', 'conflict.choice_list', 'no list'],
    ] as const) {
      const refused = await choices(name);
      expect([refused.statusCode, refused.json().code], name).toEqual([409, code]);
      expect(refused.json().error).toContain(text);
    }
    expect(requests, 'a redirect is not followed').toHaveLength(5);

    for (const [more, field] of [
      [{ url: 'https://127.0.0.1/api' }, 'url'],
      [{ url: '' }, 'url'],
      [{ value_path: '$..x' }, 'value_path'],
    ] as const) {
      const survey = [{ name: 'a', type: 'enum', source: { ...source('releases'), ...more } }];
      const refused = await admin.put(`${sample.base}/templates/${template_id}`, { survey_vars: survey });
      expect([refused.statusCode, Object.keys(refused.json().fields)]).toEqual([
        400,
        [`survey_vars.0.source.${field}`],
      ]);
    }
  });
});
