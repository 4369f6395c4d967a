import { FAILURE_CAUSES, Language } from '@signalbox/contract';
import { expect, it } from 'vitest';
import { FAILURES } from './catalogues.ts';
import { failuresText, failureTitle, type NamedFailure } from './failures.ts';
import { textsIn } from './message-text.ts';

const LOCKED: NamedFailure = { result: 'failed', cause: 'apt_locked', title: 'Could not get lock', hosts: 31 };
const TIMEOUT: NamedFailure = { result: 'unreachable', cause: 'connection_timeout', title: 'ssh: …', hosts: 4 };
const OWN: NamedFailure = { result: 'failed', cause: null, title: 'Version 2 is too old', hosts: 1 };

const inLanguage = (language: Language) => textsIn(language, [FAILURES[language]]);

it.each(Language.options)('every cause has a text in %s', (language) => {
  const titles = FAILURE_CAUSES.map((cause) => failureTitle(inLanguage(language), { cause, title: '' }));
  expect(titles).not.toContain('');
  expect(new Set(titles).size).toBe(FAILURE_CAUSES.length);
});

it('the failures of a task are on one line, with the number of those that are not named', () => {
  expect(failuresText(inLanguage('en'), [LOCKED, TIMEOUT, OWN], 5)).toBe(
    '31 hosts: apt is locked by another process · 4 unreachable: Connection timed out · 1 host: Version 2 is too old · 2 more failures',
  );
  expect(failuresText(inLanguage('ru'), [LOCKED, TIMEOUT], 2)).toBe(
    '31 хост: apt заблокирован другим процессом · 4 недоступны: Время ожидания соединения истекло',
  );
});
