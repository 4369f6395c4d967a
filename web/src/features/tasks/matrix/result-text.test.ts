import { describe, expect, it } from 'vitest';
import { positionsOf, readResult } from './result-text.ts';

describe('the text of a result', () => {
  it('is read from the values that Ansible prints', () => {
    const line = `fatal: [web-1]: FAILED! => {"attempts": 3, "msg": "no", "stderr": "busy\\n", "stdout": "one"}`;
    expect(readResult(['FAILED - RETRYING: [web-1]: Install (1 retries left).', line])).toEqual({
      ...{ stderr: 'busy', stdout: 'one', attempts: 3, items: [], diff: [] },
    });
  });

  it('has the items of a loop, and values that are printed on several lines', () => {
    const lines = [
      'ok: [web-1] => (item=one) => {"item": "one"}',
      'failed: [web-1] (item=two (2)) => {"msg": "no"}',
      'fatal: [web-1]: FAILED! => {',
      '    "module_stderr": "Traceback"',
      '}',
    ];
    expect(readResult(lines)).toMatchObject({
      stderr: 'Traceback',
      items: [
        { name: 'one', result: 'ok' },
        { name: 'two (2)', result: 'failed' },
      ],
    });
  });

  it('has the difference that a step prints before its result', () => {
    const diff = ['--- before: /etc/motd', '+++ after: /etc/motd', '@@ -1 +1 @@', '-old', '+new'];
    expect(readResult([...diff, 'changed: [web-1]']).diff).toEqual(diff);
  });

  it('has the differences of all items of a loop', () => {
    const one = ['--- before', '+++ after', '@@ -0,0 +1 @@', '+AllowUsers alice', ''];
    const two = ['--- before', '+++ after', '@@ -1 +2 @@', '+AllowUsers bob', ''];
    const lines = [...one, 'changed: [web-1] => (item=alice)', ...two, 'changed: [web-1] => (item=bob)', 'ok: [web-1]'];
    expect(readResult(lines).diff).toEqual([...one, ...two]);
  });

  it('is found among the lines of other hosts, with the difference before it', () => {
    const lines = [
      ...['--- before', '+++ after: /etc/motd', '@@ -0,0 +1 @@', '+of one', '', 'changed: [one]', ''],
      ...['--- before', '+++ after: /etc/motd', '@@ -0,0 +1 @@', '+of two', '', 'changed: [two -> db]'],
      ...['ok: [one] => (item=a) => {', '    "item": "a"', '}', 'seen: one', '  by a plugin'],
    ];
    expect(positionsOf(lines, 'one')).toEqual([0, 1, 2, 3, 4, 5, 6, 13, 14, 15]);
    expect(positionsOf(lines, 'two')).toEqual([7, 8, 9, 10, 11, 12]);
    expect(positionsOf(lines, 'three')).toEqual([]);
  });

  it('is empty for lines in another format', () => {
    expect(readResult(['web-1 | FAILED => {broken'])).toMatchObject({ stderr: '', items: [], diff: [] });
  });
});
