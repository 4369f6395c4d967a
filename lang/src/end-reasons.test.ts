import { EndReason, EndReasonCode, EndReasonDetail, Language } from '@signalbox/contract';
import { describe, expect, it } from 'vitest';
import { END_REASONS } from './catalogues.ts';
import { endReasonLabel, endReasonText } from './end-reasons.ts';
import { textsIn } from './message-text.ts';

const SAMPLE = {
  hosts: 40,
  failed: 3,
  unreachable: 2,
  line: 14,
  column: 17,
  seconds: 1800,
  exit_code: 250,
  minutes: 15,
  signal: 9,
  key_id: 7,
  megabytes: 512,
} as const;

/** Every code with parameters, and once more with those that may be empty or null. */
const reasons = EndReasonCode.options.flatMap((code) =>
  [
    (name: string) => `<${name}>`,
    (name: string) => (['user', 'runner', 'key_name', 'message', 'detail'].includes(name) ? '' : `<${name}>`),
  ].map((textOf) => {
    const schema = EndReason.options.find((option) => option.shape.code.value === code);
    const names = Object.keys(schema?.shape.params.shape ?? {});
    const params = names.map((name) => [name, SAMPLE[name as keyof typeof SAMPLE] ?? textOf(name)]);
    return EndReason.parse({ code, params: Object.fromEntries(params) });
  }),
);

describe.each(Language.options)('end reasons in %s', (language) => {
  const make = textsIn(language, [END_REASONS[language]]);

  it('end reasons have a complete text for every code', () => {
    for (const reason of reasons) {
      const text = endReasonText(make, reason);
      expect(text, reason.code).toMatch(/\S/);
      expect(text, reason.code).not.toMatch(/\{\{|\s\s|“”|«\s*»|„“|: *$|^[:,]/u);
    }
  });

  it('details of end reasons have a text for every code, with its value', () => {
    const english = END_REASONS.en as Readonly<Record<string, string>>;
    for (const detail_code of EndReasonDetail.options) {
      const params = { detail: '<English>', detail_code, detail_value: '<value>' };
      const text = endReasonText(make, EndReason.parse({ code: 'preparation.failed', params }));
      expect(text, detail_code).toMatch(/\S/);
      expect(text, detail_code).not.toMatch(/\{\{|<English>/);
      expect(text?.includes('<value>'), detail_code).toBe(english[`detail.${detail_code}`]?.includes('{{value}}'));
    }
  });

  it('end reasons have a label for every code', () => {
    for (const code of EndReasonCode.options) {
      expect(make(endReasonLabel(code)), code).toMatch(/\p{L}/u);
      expect(make(endReasonLabel(code)), code).not.toContain('{{');
    }
  });
});

describe('the English text of an end reason', () => {
  const make = textsIn('en', [END_REASONS.en]);
  const text = (code: string, params: object) => endReasonText(make, EndReason.parse({ code, params }));

  it.each([
    ['stop.user', { user: 'ana' }, 'Stopped by ana'],
    ['stop.user', { user: '' }, 'Stopped'],
    ['time_limit', { seconds: 60 }, "The template's time limit of 1 minute was reached"],
    ['time_limit', { seconds: 90 }, "The template's time limit of 90 seconds was reached"],
    ['time_limit', { seconds: null }, "The template's time limit was reached"],
    ['ansible.refused', { detail: 'No such option' }, 'Ansible refused to run the playbook: No such option'],
    [
      'playbook.module_missing',
      { module: 'a.b.c', file: 'a.yml', line: 4 },
      'Module a.b.c was not found: its collection is not installed, or the name is misspelled (a.yml, line 4)',
    ],
    ['playbook.invalid', { file: 'a.yml', line: 4, column: null, detail: '' }, 'a.yml has an error in line 4'],
    [
      'hosts.failed',
      { failed: 3, hosts: 40, host: 'web-1', step: 'Copy', message: 'disk full' },
      '3 of 40 hosts failed (web-1, “Copy”: disk full)',
    ],
    [
      'hosts.unreachable',
      { unreachable: 1, hosts: 1, host: 'web-1', message: '' },
      'web-1 is unreachable (1 of 1 host)',
    ],
    [
      'git.local_outside',
      { repository: '/srv/plays' },
      '/srv/plays does not exist or is outside the allowed folders: an administrator can add folders in SIGNALBOX_LOCAL_REPOSITORY_ROOTS',
    ],
    ['git.commit_missing', { repository: 'r', commit: 'a'.repeat(40) }, 'Commit aaaaaaa is not in r'],
    [
      'git.unreachable',
      { repository: 'r', detail: 'it took too long', detail_code: 'git_timeout' },
      "The repository r can't be reached: it took too long",
    ],
    [
      'git.unreachable',
      { repository: 'r', detail: 'the moon was full', detail_code: 'code_of_a_newer_runner' },
      "The repository r can't be reached: the moon was full",
    ],
  ])('is complete for %s', (code, params, expected) => {
    expect(text(code, params)).toBe(expected);
  });
});
