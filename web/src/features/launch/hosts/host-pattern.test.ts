import { describe, expect, it } from 'vitest';
import { matchHosts, readPattern, readTerm, typedTerms, unknownTerms, writePattern } from './host-pattern.ts';

const INVENTORY = {
  hosts: ['web-1', 'web-2', 'web-3', 'api-1', 'api-2', 'db.fra'],
  groups: [
    { name: 'web', hosts: ['web-1', 'web-2', 'web-3'] },
    { name: 'api', hosts: ['api-1', 'api-2'] },
    { name: 'region_fra', hosts: ['web-1', 'api-1', 'db.fra'] },
  ],
};

describe('the hosts of a host pattern', () => {
  it.each([
    ['', ['web-1', 'web-2', 'web-3', 'api-1', 'api-2', 'db.fra']],
    ['all', ['web-1', 'web-2', 'web-3', 'api-1', 'api-2', 'db.fra']],
    ['*', ['web-1', 'web-2', 'web-3', 'api-1', 'api-2', 'db.fra']],
    ['web', ['web-1', 'web-2', 'web-3']],
    ['api,db.fra', ['api-1', 'api-2', 'db.fra']],
    ['db.fra:web-2', ['web-2', 'db.fra']],
    ['web:&region_fra', ['web-1']],
    ['!web-1:web:api:&region_fra', ['api-1']],
    ['!web', ['api-1', 'api-2', 'db.fra']],
    ['&region_fra', ['web-1', 'api-1', 'db.fra']],
    ['web-*:!web-[12]', ['web-3']],
    ['*-1', ['web-1', 'api-1']],
    ['web[0]', ['web-1']],
    ['web[1:]', ['web-2', 'web-3']],
    ['web[0:1]', ['web-1', 'web-2']],
    ['web[-1]', ['web-3']],
    ['region_*', ['web-1', 'api-1', 'db.fra']],
    ['nothing', []],
    ['dbxfra', []],
    ['~web-\\d', undefined],
    ['{{ group }}', undefined],
    ['web-[', undefined],
    ['*w*e*b*-*1*', undefined],
  ])('%j', (pattern, hosts) => {
    expect(matchHosts(INVENTORY, pattern)).toEqual(hosts);
  });

  it('are found among 10,000 hosts', () => {
    const hosts = Array.from({ length: 10_000 }, (_, number) => `host-${number}.example.com`);
    const groups = Array.from({ length: 200 }, (_, group) => ({
      name: `group_${group}`,
      hosts: hosts.filter((_host, number) => number % 200 === group),
    }));
    const found = matchHosts({ hosts, groups }, 'group_1*:&*5.example.com:!host-1?.example.com');
    expect(found?.length).toBeGreaterThan(100);
  });
});

describe('the terms of a host pattern', () => {
  it('are read, and written in the same order', () => {
    const terms = readPattern('web: api:&region_fra:! web[0:3]');
    expect(terms).toEqual([
      { kind: 'or', text: 'web' },
      { kind: 'or', text: 'api' },
      { kind: 'and', text: 'region_fra' },
      { kind: 'not', text: 'web[0:3]' },
    ]);
    expect(writePattern(terms)).toBe('web,api,&region_fra,!web[0:3]');
    expect(writePattern(terms.slice(0, 3))).toBe('web:api:&region_fra');
    expect(readPattern('web,&region_fra')).toEqual([
      { kind: 'or', text: 'web' },
      { kind: 'and', text: 'region_fra' },
    ]);
  });
});

describe('the terms of a typed text', () => {
  const inventory = { ...INVENTORY, hosts: [...INVENTORY.hosts, 'fe80::1'] };
  it.each([
    ['web-1,web-2 api-1;\ndb.fra', ['web-1', 'web-2', 'api-1', 'db.fra']],
    ['web:!web-1', ['web', '!web-1']],
    ['db.fra, web:&region_fra', ['db.fra', 'web', '&region_fra']],
    ['! web-1 web-2', ['!web-1', '!web-2']],
    ['!web-1 web-2', ['!web-1', 'web-2']],
    ['fe80::1 web-1', ['fe80::1', 'web-1']],
    ['~web-(1|2), x', ['~web-(1|2), x']],
    [' ', []],
  ])('of %j are %j', (text, terms) => {
    expect(typedTerms(inventory, text)).toEqual(terms.map(readTerm));
  });
});

it('unknown terms are names and patterns for which the inventory has neither a group nor a host', () => {
  const inventory = { ...INVENTORY, groups: [...INVENTORY.groups, { name: 'empty', hosts: [] }] };
  expect(unknownTerms(inventory, readPattern('web,all,empty,web-9,!gone,web-9,x*,*-1,~x'))).toEqual([
    'web-9',
    'gone',
    'x*',
  ]);
});
