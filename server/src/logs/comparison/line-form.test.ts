import { expect, it } from 'vitest';
import { lineForm } from './line-form.ts';

const hosts = new Set(['web-1', 'web-2', 'db.example.com', 'db.example.org']);
const form = (line: string) => lineForm(line, hosts);

it.each([
  ['ok: [web-1]', 'ok: [web-2]'],
  ['\u001b[0;32mok: [web-1]\u001b[0m', 'ok: [web-2]'],
  ['fatal: [db.example.com]: FAILED!', 'fatal: [db.example.org]: FAILED!'],
  ['TASK [Copy] ******', 'TASK [Copy] ****'],
  ['2026-11-27 10:00:01,123 p=1 done', '2026-12-01 23:59:59,999 p=77 done'],
  ['Fri 27 November 2026  10:00:00 +0000', 'Sat 01 May 2027  11:30:00 +0200'],
  ['took 0:00:01.234567', 'took 1:12:00'],
  ['Commit: 97eabe9c1f00 Add', 'Commit: b3987812aaa1 Add'],
  ['container 3f2504e0-4f89-11d3-9a0c-0305e82c3301 up', 'container 16fd2706-8baf-433b-82eb-8c7fada847da up'],
  ['/tmp/ansible-tmp-1700000000.1-2-3/x', '/tmp/ansible-tmp-1800000000.5-6-7/x'],
  [
    '+++ after: /root/.ansible/tmp/ansible-local-4556itrby87r/tmps90eqbpy',
    '+++ after: /home/run/.ansible/tmp/ansible-local-99abc/tmpzz0eqbpy/t.j2',
  ],
  ['--- before', '--- before: /etc/app.conf (content)'],
  ['@@ -0,0 +1 @@', '@@ -3,7 +3,6 @@ server {'],
  ['Reading /data/runs/41-1/checkout/site.yml', 'Reading /srv/signalbox/runs/57-2/checkout/site.yml'],
  ['key in /data/runs/41-1/secrets/key', 'key in /var/runs/7-1/secrets/key'],
  ['see /tmp/tmp.AbCdEfGhIj/x', 'see /tmp/tmp.Zyxwvut123/x'],
  ['see /tmp/build-a8f3k2', 'see /var/tmp/build-zz91qk'],
  ['/tmp/ansible_command_payload_ab3xk9/x', '/tmp/ansible_command_payload_zzz111/x'],
])('%j and %j are the same line', (one, other) => {
  expect(form(one)).toBe(form(other));
});

it.each([
  ['ok: [web-1]', 'changed: [web-1]'],
  ['msg: the site answers', 'msg: the site is away'],
  ['ok: [web-1]', 'ok: [unknown]'],
  ['"state": "present"', '"state": "absent"'],
  ['You May go', 'You go'],
  ['wrote /tmp/release/app', 'wrote /tmp/staging/app'],
  ['--- before', '+++ after'],
  ['--- a/site.yml', '--- a/other.yml'],
])('%j and %j differ', (one, other) => {
  expect(form(one)).not.toBe(form(other));
});
