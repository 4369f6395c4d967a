import { execFileSync } from 'node:child_process';
import { linkSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { unlockedHost } from '../apps/ansible/locked-hosts.ts';
import { readPlainFile } from './plain-file.ts';

let folder: string;
const at = (name: string) => join(folder, name);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plain-file-'));
  writeFileSync(at('secret'), '{"host":"secret"}');
});
afterEach(() => rmSync(folder, { recursive: true }));

it('reads at most the given number of bytes of a regular file', () => {
  expect(readPlainFile(at('secret'), 6)).toBe('{"host');
});

it('[S6] refuses links, pipes and folders', () => {
  symlinkSync(at('secret'), at('symbolic'));
  execFileSync('mkfifo', [at('pipe')]);
  for (const path of [at('symbolic'), at('pipe'), folder]) expect(() => readPlainFile(path, 100)).toThrow();
  linkSync(at('secret'), at('hard'));
  expect(() => readPlainFile(at('hard'), 100)).toThrow();
});

it('[S6] names no host in an end reason if the report of a run is a link, or longer than a name', () => {
  const reason = (host: string) => ({ code: 'hosts.not_locked', params: { host } });
  writeFileSync(at('events.unlocked'), '{"host":"web1"}');
  expect(unlockedHost(at('events'))).toEqual(reason('web1'));
  writeFileSync(at('events.unlocked'), JSON.stringify({ host: 'x'.repeat(5000) }));
  expect(unlockedHost(at('events'))).toEqual(reason(''));
  rmSync(at('events.unlocked'));
  symlinkSync(at('secret'), at('events.unlocked'));
  expect(unlockedHost(at('events'))).toEqual(reason(''));
});
