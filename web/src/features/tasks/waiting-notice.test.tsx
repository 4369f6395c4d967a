import type { WaitingReason } from '@signalbox/contract';
import { screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { chooseLanguage } from '../../lang/language.ts';
import type { Language } from '../../lang/languages.ts';
import { showTask } from './show-task.testing.tsx';

const waiting = { status: 'waiting', start: null, end: null } as const;
const SINCE = '2026-11-21T12:00:00Z';
const LATER = '2126-11-22T12:00:00Z';
const held = (more: WaitingReason['params'] = {}): WaitingReason => ({
  code: 'host_held',
  params: { host: 'web-01', others: 0, id: 7, template: 'Deploy', since: SINCE, expected_end: '', ...more },
});
const ahead = (more: WaitingReason['params'] = {}): WaitingReason => ({
  code: 'host_ahead',
  params: { host: 'web-01', others: 0, id: 7, template: 'Deploy', ...more },
});

describe('a task that waits for hosts', () => {
  it.each([
    ['that they are not listed', { code: 'hosts_unknown', params: {} }, /^Waiting for a runner to list the hosts/],
    ['since when they are locked', held(), /^Task #7 has locked web-01 since .*21/],
    ['that their task is about to start', held({ since: '' }), /has locked web-01 and is about to start/],
    ['until when they are locked', held({ expected_end: LATER }), /locked web-01 since .* probably until .*22/],
    ['that their task takes long', held({ expected_end: SINCE }), /locked web-01 since .* longer than usual/],
    ['one more host', held({ others: 1 }), /has locked web-01 and 1 more host since/],
    ['several more hosts', held({ others: 1200 }), /has locked web-01 and 1,?200 more hosts since/],
    [
      'three hosts by name',
      held({ others: 4, hosts: 'web-01, web-02, web-03' }),
      /web-01, web-02, web-03 and 2 more hosts/,
    ],
    ['two hosts by name', held({ others: 1, hosts: 'web-01, web-02' }), /locked web-01, web-02 since/],
    ['one minute once', held({ since: LATER, expected_end: LATER }), /web-01 since (?!.*probably).*22/],
    [
      'whose hosts come first',
      { code: 'hosts_unknown_ahead', params: { id: 7 } },
      /^Task #7 of this template is ahead/,
    ],
    ['the task ahead', ahead({ others: 2 }), /#7 waits too and locks web-01 and 2 more hosts first/],
  ] as const)('shows %s', async (_, waiting_reason: WaitingReason, text) => {
    await showTask({ task: { ...waiting, waiting_reason } });
    expect(await screen.findByText(text)).toBeTruthy();
  });

  it.each([held(), ahead()])('links from $code to the other task', async (waiting_reason) => {
    await showTask({ task: { ...waiting, waiting_reason } });
    const link = await screen.findByRole('link', { name: '#7 Deploy' });
    expect(link.getAttribute('href')).toBe('/project/1/tasks/7');
  });

  it.each([held({ id: 0, since: '' }), ahead({ id: 0 })])(
    'names no task that the user must not see',
    async (reason) => {
      await showTask({ task: { ...waiting, waiting_reason: reason } });
      expect(await screen.findByText('Another task locks web-01 first.')).toBeTruthy();
      expect(screen.queryByRole('link', { name: /#0/ })).toBeNull();
    },
  );
});

describe('the number of further hosts', () => {
  afterEach(() => chooseLanguage('en'));

  it.each<[Language, string]>([
    ['de', 'Aufgabe #7 wartet ebenfalls und sperrt web-01 und 3 weitere Hosts zuerst.'],
    ['fr', 'La tâche n° 7 attend aussi et verrouille web-01 et 3 autres hôtes en premier.'],
    ['pt', 'A tarefa #7 também espera e bloqueia web-01 e mais 3 hosts primeiro.'],
    ['ru', 'Задача #7 тоже ждёт и заблокирует web-01 и ещё 3 хоста первой.'],
    ['zh', '任务 #7 也在等待，将先锁定 web-01 和另外 3 台主机。'],
  ])('is a part of the text in %s', async (language, text) => {
    await chooseLanguage(language);
    await showTask({ task: { ...waiting, waiting_reason: ahead({ others: 3 }) } });
    expect(await screen.findByText(text)).toBeTruthy();
  });
});
