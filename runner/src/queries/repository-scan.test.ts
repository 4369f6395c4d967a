import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MAX_SCANNED_BYTES, MAX_SCANNED_FILES } from '@signalbox/contract/link';
import { afterEach, describe, expect, it } from 'vitest';
import { makeRepository } from '../testing/git-repository.testing.ts';
import { openHarness } from '../testing/playbooks.testing.ts';
import { askRunner, queryWorkspacesOf } from '../testing/query.testing.ts';
import type { RunnerHarness } from '../testing/runner-harness.testing.ts';

let harness: RunnerHarness;
afterEach(() => harness.close());

const open = async () => {
  harness = await openHarness();
  await harness.startRunner({});
  await harness.server.message('hello');
};
const scan = (url: string, branch: string) =>
  askRunner(harness, { ask: 'scan', repository: { id: 7, url, branch, access: { type: 'none' }, project_id: 1 } });

const PLAY = '- hosts: all\n  tasks: []\n';

describe('the scan of a repository', () => {
  it('finds playbooks with the names of their plays, inventories and requirements', async () => {
    await open();
    const repository = await makeRepository(join(harness.folder, 'origin'), {
      'site.yml':
        '---\n# All\n- import_playbook: web.yml\n- name: "Data: bases" # x\n  hosts: db\n  tasks:\n    - name: No\n',
      'plays/web.yaml': '-\n  name: Web\n  hosts: web\n',
      'tasks.yml': '- name: Only a task\n  debug:\n    hosts: no\n',
      'roles/web/tasks/main.yml': PLAY,
      'molecule/default/converge.yml': PLAY,
      'group_vars/all.yml': PLAY,
      '.github/workflow.yml': PLAY,
      'requirements.yml': '- src: x\n',
      'collections/requirements.yml': 'collections: []\n',
      'hosts.ini': '; hosts\n[web]\nweb1 ansible_host=10.0.0.1\n',
      'inventories/live/hosts.yml': 'all:\n  children:\n    web:\n      hosts:\n        web1:\n',
      'inventory.py': '#!/usr/bin/env python3\n',
      staging: 'web1.example.org\n',
      production: '#!/bin/sh\necho {}\n',
    });
    expect(await scan(`file://${repository.path}`, 'main')).toEqual({
      ask: 'scan',
      playbooks: [
        { path: 'plays/web.yaml', plays: ['Web'] },
        { path: 'site.yml', plays: ['Data: bases'] },
      ],
      inventories: ['hosts.ini', 'inventories/live/hosts.yml', 'staging'],
      requirements: ['collections/requirements.yml', 'requirements.yml'],
      complete: true,
    });
    expect(queryWorkspacesOf(harness)).toEqual([]);
  });

  it('leaves out names of plays that are more than a value on one line', async () => {
    await open();
    const names = ['>-\n    Folded', '&anchor Web', '!tag Web', "'It''s'", '"a \\"b\\" c" # d', 'Plain # comment'];
    const plays = names.map((name) => `- name: ${name}\n  hosts: web\n`).join('');
    const repository = await makeRepository(join(harness.folder, 'origin'), { 'site.yml': plays });
    expect(await scan(`file://${repository.path}`, 'main')).toMatchObject({
      playbooks: [{ path: 'site.yml', plays: ["It's", 'a "b" c', 'Plain'] }],
    });
  });

  it('[S7] reads no link out of the repository, large file, other encoding or alias', async () => {
    await open();
    const outside = join(harness.folder, 'outside.yml');
    writeFileSync(outside, '- name: hidden-content\n  hosts: all\n');
    const repository = await makeRepository(join(harness.folder, 'origin'), { 'site.yml': PLAY });
    symlinkSync(outside, join(repository.path, 'link.yml'));
    symlinkSync('..', join(repository.path, 'up'));
    writeFileSync(join(repository.path, 'latin.yml'), Buffer.from('- name: \xe9\n  hosts: all\n', 'latin1'));
    const bomb = Array.from({ length: 20 }, (_, n) => `a${n + 1}: &a${n + 1} [${'*a0,'.repeat(9)}]`).join('\n');
    await repository.commit({
      'bomb.yml': `a0: &a0 x\n${bomb}\n`,
      'big.yml': `${PLAY}#${'x'.repeat(MAX_SCANNED_BYTES)}\n`,
      'a\nb.yml': PLAY,
      'name.yml': `- name: "a\u0007b${'c'.repeat(1000)}"\n  hosts: all\n`,
    });
    const found = { playbooks: [{ path: 'name.yml' }, { path: 'site.yml', plays: [] }], complete: false };
    const answer = await scan(`file://${repository.path}`, 'main');
    expect(answer).toMatchObject(found);
    if (answer.ask === 'scan') expect(answer.playbooks[0]?.plays.join()).toMatch(/^["]?abc{90,}$/);
    expect(JSON.stringify(harness.server.messages)).not.toContain('hidden-content');
  });

  it('[S7] reads a plain folder without links that lead out of it', async () => {
    await open();
    const outside = join(harness.folder, 'outside.yml');
    writeFileSync(outside, '- name: hidden-content\n  hosts: all\n');
    harness.write({ 'plays/web.yml': PLAY, 'hosts.ini': '[web]\nweb1\n' });
    symlinkSync(outside, join(harness.repository, 'link.yml'));
    expect(await scan(harness.repository, '')).toMatchObject({
      ask: 'scan',
      playbooks: expect.arrayContaining([{ path: 'plays/web.yml', plays: [] }]),
      inventories: ['hosts.ini'],
    });
    expect(JSON.stringify(harness.server.messages)).not.toContain('hidden-content');
  });

  it('is limited in the number of files, those near the top first', async () => {
    await open();
    const many = Object.fromEntries(Array.from({ length: MAX_SCANNED_FILES + 5 }, (_, n) => [`aside/${n}.yml`, PLAY]));
    const repository = await makeRepository(join(harness.folder, 'origin'), { ...many, 'z.yml': PLAY });
    const answer = await scan(repository.path, 'main');
    if (answer.ask !== 'scan') throw new Error(JSON.stringify(answer));
    expect(answer.complete).toBe(false);
    expect(answer.playbooks).toHaveLength(MAX_SCANNED_FILES);
    expect(answer.playbooks.map(({ path }) => path)).toContain('z.yml');
  });
});
