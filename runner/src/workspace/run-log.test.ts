import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { exitLine } from '../apps/ansible/exit.ts';
import { TRUNCATED } from '../output/plain-text.ts';
import { lastLines } from '../runs/end/run-end.ts';
import { RunFolder } from '../runs/folder/run-folder.ts';
import { closeLog, RunLog } from './run-log.ts';

const APP = { program: 'ansible-playbook', runTitle: 'Playbook run', exitLine };
const MARKER = '\x1b_signalbox;12\x1b\\';

const folderOf = (output: string): RunFolder => {
  const path = mkdtempSync(join(tmpdir(), 'signalbox-log-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  const folder = new RunFolder(path, { root: join(path, 'places'), user: undefined, env: {} }, 1, 1);
  mkdirSync(folder.path);
  writeFileSync(folder.output, output);
  return folder;
};

it.each([
  ['a whole line', 'RECAP\n', 'RECAP\nend\n'],
  ['markers after a complete line', `RECAP\n${MARKER}${MARKER}`, `RECAP\n${MARKER}${MARKER}end\n`],
  ['an unfinished line', 'RECAP', `RECAP${TRUNCATED}\nend\n`],
  ['markers after an unfinished line', `RECAP${MARKER}`, `RECAP${MARKER}${TRUNCATED}\nend\n`],
  ['nothing', '', 'end\n'],
  ['a single marker', MARKER, `${MARKER}end\n`],
])('the last line of a log is a separate line after %s, also if it is written again', (_, before, after) => {
  const folder = folderOf(before);
  const bytes = Buffer.byteLength(before);
  expect(closeLog(folder, bytes, ['end'])).toBe(Buffer.byteLength(after));
  expect(closeLog(folder, bytes, ['end'])).toBe(Buffer.byteLength(after));
  expect(readFileSync(folder.output, 'utf8')).toBe(after);
});

it('the last lines of a log contain the duration of the playbook, and then why it failed', () => {
  const exit = { reason: 'exited', code: 2, signal: null, bytes: 1 } as const;
  expect(lastLines({ ...exit, seconds: 3.26 }, APP)).toEqual([
    'Playbook run for 3.3 s.',
    'ansible-playbook ended with exit code 2 (one or more hosts failed).',
  ]);
  expect(lastLines({ ...exit, code: 0, seconds: 61 }, APP)).toEqual(['Playbook run for 61.0 s.']);
  expect(lastLines({ ...exit, reason: 'lost', code: null }, APP)).toHaveLength(1);
});

it('closes its files on a full disk, because the space of an open file cannot be freed', () => {
  const folder = folderOf('RECAP\n');
  symlinkSync('/dev/full', folder.times);
  const before = readdirSync('/proc/self/fd').length;
  for (let round = 0; round < 5; round++) expect(() => closeLog(folder, 6, ['end'])).toThrow('ENOSPC');
  expect(readdirSync('/proc/self/fd').length).toBe(before);
});

it('writes the start of each line of the runner to times.log, and no start for output', () => {
  const folder = folderOf('');
  const log = new RunLog(folder);
  log.write('galaxy');
  log.line('Commit: 1\rforged\nThe task was stopped.');
  log.close();
  const output = `galaxy${TRUNCATED}\nCommit: 1 forged\nThe task was stopped.\n`;
  expect(readFileSync(folder.output, 'utf8')).toBe(output);
  const rows = readFileSync(folder.times, 'utf8').trimEnd().split('\n');
  const own = rows.map((row) => row.split(' ')).filter((row) => row.length === 3);
  const start = output.indexOf('Commit');
  expect(own).toEqual([[`${output.indexOf('The task')}`, expect.any(String), `${start}`]]);
});

it('keeps the first bytes of output up to the limit, and whole lines of its end', () => {
  const folder = folderOf('');
  const log = new RunLog(folder, 20);
  log.write('first line\nsecond line\n');
  log.write('x'.repeat(100_000));
  log.write('\nthe error\n');
  log.line('End.');
  log.close();
  const text = readFileSync(folder.output, 'utf8');
  expect(text).toMatch(/^first line\nsecond li/);
  expect(text).toMatch(/\nThe output is too long: 100004 bytes are not kept\.\nthe error\nEnd\.\n$/);
  expect(text.length).toBeLessThan(200);
});

it('keeps output whole that is longer than the limit by less than its kept end', () => {
  const folder = folderOf('');
  const log = new RunLog(folder, 4);
  log.write('first\n');
  log.write('second\n');
  log.close();
  expect(readFileSync(folder.output, 'utf8')).toBe('first\nsecond\n');
});

it('records the start of its own line before the markers that follow the last line break, as the reader of the log does', () => {
  const folder = folderOf(`RECAP\n${MARKER}${MARKER}`);
  const log = new RunLog(folder);
  log.line('Limit: no\u202eone');
  log.close();
  const output = `RECAP\n${MARKER}${MARKER}Limit: noone\n`;
  expect(readFileSync(folder.output, 'utf8')).toBe(output);
  const [, , start] = readFileSync(folder.times, 'utf8').trimEnd().split(' ');
  expect(Number(start)).toBe('RECAP\n'.length);
});
