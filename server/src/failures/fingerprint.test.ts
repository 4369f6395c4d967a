import { expect, it } from 'vitest';
import { fingerprintOf } from './fingerprint.ts';
import { formOf } from './form.ts';

const STEP = { name: 'Upgrade packages', action: 'ansible.builtin.apt' };
const failed = (host: string, message: string) => ({ host, message, result: 'failed' as const });
const LOCK = (pid: number, name: string) =>
  `Could not get lock /var/lib/dpkg/lock-frontend. It is held by process ${pid} (${name})`;

it('gives messages that differ in hosts, paths, numbers and quoted values the same form', () => {
  const one = formOf("web-01: cannot open '/srv/a' on port 8080 after 3.5s: denied", 'web-01');
  const other = formOf("db.example.org: cannot open 'x' on port 443 after 12s: denied", 'db.example.org');
  expect(one.fixed).toEqual(other.fixed);
  expect(one.values).toEqual(['web-01', "'/srv/a'", '8080', '3.5s']);
});

it('keeps codes and terms that name the failure', () => {
  expect(formOf('Status code was 503 and not [200]', 'h').values).toEqual(['200']);
  expect(formOf("can't open: [Errno 13] Permission denied (rc 1)", 'h').values).toEqual([]);
});

it('identifies a failure by module, step and cause, and an unreachable host by the cause', () => {
  const lock = fingerprintOf(failed('web-01', LOCK(2214, 'unattended-upgr')), STEP);
  expect(lock).toMatchObject({ cause: 'apt_locked', title: LOCK(2214, 'unattended-upgr') });
  expect(lock.form.values).toEqual(['/var/lib/dpkg/lock-frontend', '2214', 'unattended-upgr']);
  expect(fingerprintOf(failed('web-02', LOCK(941, 'apt')), { ...STEP, action: 'apt' }).id).toBe(lock.id);
  expect(fingerprintOf(failed('web-02', LOCK(941, 'apt')), { ...STEP, name: 'Install' }).id).not.toBe(lock.id);
  const gone = {
    ...failed('web-01', 'ssh: connect to host web-01 port 22: Connection timed out'),
    result: 'unreachable' as const,
  };
  const timeout = fingerprintOf(gone, STEP);
  expect(timeout.cause).toBe('connection_timeout');
  expect(fingerprintOf(gone, { name: 'Gather', action: 'setup' }).id).toBe(timeout.id);
});

it('reads the name of a step once for all its failures', () => {
  let reads = 0;
  const step = {
    action: 'apt',
    get name() {
      reads += 1;
      return 'Upgrade';
    },
  };
  const ids = ['web-1', 'web-2', 'web-3'].map((host) => fingerprintOf(failed(host, 'E: broken'), step).id);
  expect(new Set(ids).size).toBe(1);
  expect(reads).toBe(1);
});

/** Fingerprints are stored. If this test fails, raise the version of the rules, and write the new fingerprints here. */
it('gives known messages the fingerprints of this version of the rules', () => {
  const messages = [
    LOCK(2214, 'apt'),
    "cannot open '/srv/a' on port 8080 after 3.5s: denied",
    'Status code was 503 and not [200]: HTTP Error 503',
    "Could not find the requested service nginx: host\nSee 'systemctl status nginx.service'.",
    'Destination directory /etc/app does not exist',
    'No package matching nginx-1.24, curl=8.5 is available',
    "The task includes an option with an undefined variable. 'port' is undefined\nThe error appears to be in x.yml",
    'Job for postgresql[812] failed on Mon Nov 23 10:00:01 2026 (code=exited)',
    'Traceback (most recent call last):\n  File "x.py", line 3\nValueError: invalid literal: “a b c”',
  ];
  const ids = messages.map((message) => fingerprintOf(failed('web-01', message), STEP).id.slice(0, 12));
  const timeout = {
    host: 'web-01',
    message: 'ssh: connect to host web-01 port 22: timed out',
    result: 'unreachable',
  } as const;
  expect([...ids, fingerprintOf(timeout, STEP).id.slice(0, 12)]).toEqual([
    '3fd689a48ad6',
    'a55cc9d93cee',
    'a2cb954cd217',
    'eb1a02355d22',
    '804e9adebcdc',
    '0cd0c6fd98df',
    'd7d8e95afd13',
    '0311da2528e5',
    '40047226ab46',
    'da5d68ab3c43',
  ]);
});
