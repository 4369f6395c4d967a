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

it('takes time in proportion to the length of a message', () => {
  for (const part of ["'", '"a', '(', 'a.', '1:', "'a ", ' ', ':', '/']) {
    const began = performance.now();
    for (let n = 0; n < 20; n += 1) fingerprintOf(failed('h', part.repeat(10_000)), STEP);
    expect(performance.now() - began, part).toBeLessThan(1000);
  }
});
