import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import type { RunnerQuery } from '@signalbox/contract/link';
import { afterEach, describe, expect, it } from 'vitest';
import { runProgram } from '../../process/program.ts';
import { openHarness } from '../../testing/playbooks.testing.ts';
import { type RunnerHarness, TEST_PATH } from '../../testing/runner-harness.testing.ts';
import { namesOf } from './inventory-hosts.ts';

describe('the names in a listing', () => {
  it('include each host once, and each group with the hosts of its child groups', () => {
    const listing = {
      _meta: { hostvars: { web1: { ansible_password: 'hidden' } } },
      all: { children: ['ungrouped', 'web', 'site'] },
      ungrouped: { hosts: ['lone'] },
      web: { hosts: ['web2', 'web1'] },
      db: { hosts: ['db1'] },
      site: { children: ['web', 'db'] },
      empty: {},
    };
    expect(namesOf(listing)).toEqual({
      hosts: ['db1', 'lone', 'web1', 'web2'],
      groups: [
        { name: 'ungrouped', hosts: ['lone'] },
        { name: 'web', hosts: ['web1', 'web2'] },
        { name: 'db', hosts: ['db1'] },
        { name: 'site', hosts: ['db1', 'web1', 'web2'] },
        { name: 'empty', hosts: [] },
      ],
    });
  });

  it('are complete if groups are children of each other', () => {
    const listing = { a: { children: ['b'], hosts: ['x'] }, b: { children: ['a'], hosts: ['y'] } };
    expect(namesOf(listing)).toEqual({
      hosts: ['x', 'y'],
      groups: [
        { name: 'a', hosts: ['x', 'y'] },
        { name: 'b', hosts: ['x', 'y'] },
      ],
    });
  });

  it('are read quickly if layers of groups are all children of each other', () => {
    const names = (layer: number) => ['a', 'b', 'c'].map((name) => `${name}${layer}`);
    const listing = Object.fromEntries(
      Array.from({ length: 40 }, (_, layer) =>
        names(layer).map((name) => [name, { hosts: [`host-${name}`], children: layer < 39 ? names(layer + 1) : [] }]),
      ).flat(),
    );
    const { hosts, groups } = namesOf(listing);
    expect(hosts).toHaveLength(120);
    expect(groups.find(({ name }) => name === 'a0')?.hosts).toHaveLength(118);
    expect(groups.find(({ name }) => name === 'a39')?.hosts).toEqual(['host-a39']);
  });

  it('include only the direct hosts of each group if the whole list exceeds the size of an answer', () => {
    const many = Array.from({ length: 1_500 }, (_, at) => `${at}`);
    const chain = many.map((at) => [`g${at}`, { hosts: [`h${at}`], children: [`g${Number(at) + 1}`] }]);
    const { hosts, groups } = namesOf(Object.fromEntries(chain));
    expect(hosts).toHaveLength(1_500);
    expect(groups.slice(0, 2)).toEqual([
      { name: 'g0', hosts: ['h0'] },
      { name: 'g1', hosts: ['h1'] },
    ]);
    const [long, wide] = [{ hosts: ['x'.repeat(40 << 20)] }, { hosts: ['\0'.repeat(8 << 20)] }];
    for (const web of [long, wide]) expect(() => namesOf({ web })).toThrow('more hosts and groups than can be listed');
  });

  it('are read quickly from very many nested groups', () => {
    const chain = Array.from({ length: 80_000 }, (_, at) => [`g${at}`, { children: [`g${at + 1}`] }]);
    expect(namesOf(Object.fromEntries(chain)).groups).toHaveLength(80_000);
  });
});

type Ask = Omit<Extract<RunnerQuery, { ask: 'hosts' }>, 'ask'>;

/** Returns a function that requests the hosts of an inventory and waits for the answer. */
const requester = (server: RunnerHarness['server']) => {
  let asked = 0;
  return async (query: Ask) => {
    const query_id = ++asked;
    server.send({ type: 'query', query_id, lease_ms: 30_000, query: { ask: 'hosts', ...query } });
    const is = (m: (typeof server.messages)[number]) => m.type === 'answer' && m.query_id === query_id;
    await server.until(() => server.messages.some(is), 'the answer', 60_000);
    const found = server.messages.find(is);
    return found?.type === 'answer' ? found.answer : undefined;
  };
};

describe('a query for hosts', () => {
  let harness: RunnerHarness | undefined;
  afterEach(async () => await harness?.close());

  it('returns only the names that Ansible reads, from inventory texts and repository files', async () => {
    harness = await openHarness({ 'hosts/all.yml': 'all: {children: {db: {hosts: {db1: {secret: hidden}}}}}\n' });
    const { server, repository } = harness;
    await harness.startRunner();
    await server.message('hello');
    const ask = requester(server);
    const text = '[web]\nweb[1:2] ansible_password=hidden\n\n[site:children]\nweb\n';
    expect(await ask({ inventory: { type: 'static', inventory: text }, repository: null })).toEqual({
      ask: 'hosts',
      hosts: ['web1', 'web2'],
      groups: [
        { name: 'site', hosts: ['web1', 'web2'] },
        { name: 'web', hosts: ['web1', 'web2'] },
      ],
    });
    const source = { id: 1, url: repository, branch: '', access: { type: 'none' } } as const;
    expect(await ask({ inventory: { type: 'file', inventory: 'hosts/all.yml' }, repository: source })).toEqual({
      ask: 'hosts',
      hosts: ['db1'],
      groups: [{ name: 'db', hosts: ['db1'] }],
    });
    for (const [inventory, code, message] of [
      [{ type: 'file', inventory: 'hosts/none.yml' }, 'inventory.missing', /none\.yml is not in the repository/],
      [{ type: 'file', inventory: '../../etc/passwd' }, 'inventory.missing', /(is not in|outside) the repository/],
      [{ type: 'file', inventory: '/etc/ansible/hosts' }, 'inventory.outside', /SIGNALBOX_LOCAL_REPOSITORY_ROOTS/],
    ] as const) {
      expect(await ask({ inventory, repository: source })).toEqual({
        ask: 'refused',
        error: expect.stringMatching(message),
        reason: { code, params: { path: inventory.inventory } },
      });
    }
    expect(JSON.stringify(server.messages)).not.toContain('hidden');
    for (const [inventory, message] of [
      [{ type: 'static', inventory: 'web1 port=1 nothing' }, /cannot be read: .*key=value.*nothing/],
      [{ type: 'static-yaml', inventory: 'all: [' }, /cannot be read: .*YAML/],
    ] as const) {
      const answer = await ask({ inventory, repository: null });
      expect(answer).toEqual({
        ask: 'refused',
        error: expect.stringMatching(message),
        reason: { code: 'query.inventory_unreadable', params: { detail: expect.any(String) } },
      });
      expect(JSON.stringify(answer)).not.toContain('/query-');
    }
    expect(await ask({ inventory: { type: 'static', inventory: '' }, repository: null })).toEqual({
      ask: 'hosts',
      hosts: [],
      groups: [],
    });
  }, 60_000);

  it('[S7] does not start the cowsay program that an ansible.cfg names', async () => {
    harness = await openHarness({ hosts: 'web1\n', 'ansible.cfg': '[defaults]\ncowpath = ./cow\n' });
    const record = join(harness.folder, 'record');
    harness.write({ cow: `#!/bin/sh\necho started > '${record}'\n` });
    chmodSync(join(harness.repository, 'cow'), 0o755);
    await harness.startRunner();
    await harness.server.message('hello');
    const repository = { id: 1, url: harness.repository, branch: '', access: { type: 'none' } } as const;
    expect(
      await requester(harness.server)({ inventory: { type: 'file', inventory: 'hosts' }, repository }),
    ).toMatchObject({
      hosts: ['web1'],
    });
    expect(existsSync(record)).toBe(false);
  });

  it('returns names if variables next to the inventory are encrypted', async () => {
    harness = await openHarness({
      'hosts/all.yml': 'all: {children: {db: {hosts: {db1: {}}}, web: {hosts: {web1: {}}}}}\n',
      'hosts/group_vars/all.yml': 'value: secret\n',
      password: 'opens it\n',
    });
    const encrypted = await runProgram(
      'ansible-vault',
      ['encrypt', '--vault-password-file=password', 'hosts/group_vars/all.yml'],
      { cwd: harness.repository, env: { PATH: TEST_PATH, HOME: harness.folder }, timeoutMs: 60_000 },
    );
    expect(encrypted.code, encrypted.stderr).toBe(0);
    await harness.startRunner();
    await harness.server.message('hello');
    const repository = { id: 1, url: harness.repository, branch: '', access: { type: 'none' } } as const;
    expect(
      await requester(harness.server)({ inventory: { type: 'file', inventory: 'hosts/all.yml' }, repository }),
    ).toEqual({
      ask: 'hosts',
      hosts: ['db1', 'web1'],
      groups: [
        { name: 'db', hosts: ['db1'] },
        { name: 'web', hosts: ['web1'] },
      ],
    });
  });
});
