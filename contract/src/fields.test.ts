import { describe, expect, it } from 'vitest';
import { Branch, CheckoutPath, NewRepository, repositoryType } from './entities/resources.ts';
import { ArgumentsText, countText, EnvironmentVariablesText, IdText, JsonObjectText, Name } from './fields.ts';
import { HostLimit } from './host-limit.ts';
import { NewSurveyVariable } from './survey/survey-variable.ts';

const accepts = (schema: { safeParse(value: unknown): { success: boolean } }, value: unknown): boolean =>
  schema.safeParse(value).success;

describe('an id in a path', () => {
  it.each(['1', '42', '2147483647'])('accepts %j', (text) => expect(IdText.parse(text)).toBe(Number(text)));
  it.each(['0', '-1', '01', '1e3', ' 5', '0x10', '1.5', '', '2147483648', '٣'])('refuses %j', (text) =>
    expect(accepts(IdText, text)).toBe(false),
  );
});

describe('a count', () => {
  it.each(['1', '200'])('accepts %j', (text) => expect(countText(1, 200).parse(text)).toBe(Number(text)));
  it.each(['0', '201', '-1', '1.0', 'x', ''])('refuses %j', (text) =>
    expect(accepts(countText(1, 200), text)).toBe(false),
  );
});

describe('a name', () => {
  it('is not normalized if it is too long, because that takes quadratic time', () => {
    const combining = `a${'\u0301'.repeat(100_000)}${'\u0316'.repeat(100_000)}`;
    const before = process.threadCpuUsage();
    expect(accepts(Name, combining)).toBe(false);
    const { user, system } = process.threadCpuUsage(before);
    // Composing it takes more than 10 s.
    expect((user + system) / 1000).toBeLessThan(1000);
  });
  it('is trimmed', () => expect(Name.parse('  Web  ')).toBe('Web'));
  it.each(['', '   ', 'a\nb', 'a\0b', 'x'.repeat(256)])('refuses %j', (text) =>
    expect(accepts(Name, text)).toBe(false),
  );
  it.each(['a\u200Bb', 'a\u202Eb', 'a\u00ADb', '\u3164', 'a\uFE0F', '1\uFE0F', '\u2800', 'a\u200Db', '\u{E0041}'])(
    'refuses %j, which holds something invisible',
    (text) => expect(accepts(Name, text)).toBe(false),
  );
  it.each(['\u0430dmin', 'adm\u0456n', '\u03BFps', 'W\u0435b 1', '\u{1D400}dmin'])(
    'refuses %j, whose letters pass for those of another alphabet',
    (text) => expect(accepts(Name, text)).toBe(false),
  );
  it.each([
    'Дмитрий (Dmitry)',
    'João',
    '李晓明',
    '❤️ deploy',
    '👩‍💻 dev',
    '1️⃣ first',
    'K8s-кластер',
    'µservice',
    '日本語テスト',
  ])('accepts %j', (text) => expect(accepts(Name, text)).toBe(true));
  it('is stored in one Unicode form, with plain spaces', () => {
    expect(Name.parse('Jo\u0061\u0303o\u00A0P.')).toBe('Jo\u00E3o P.');
  });
});

describe('the title of a survey question', () => {
  it.each(['a\u200Bb', 'a\nb', '\u0430dmin'])('refuses %j', (title) =>
    expect(accepts(NewSurveyVariable, { name: 'version', title })).toBe(false),
  );
  it('may be empty', () => expect(accepts(NewSurveyVariable, { name: 'version' })).toBe(true));
});

describe('a text that contains JSON', () => {
  it.each(['{}', '', ' {"a": [1, {"b": null}]} '])('takes the object %j', (text) =>
    expect(accepts(JsonObjectText, text)).toBe(true),
  );
  it.each(['[]', '1', 'null', '"x"', '{', '{"a":"\\u0000"}', `${'{"a":'.repeat(70)}1${'}'.repeat(70)}`])(
    'refuses %j',
    (text) => expect(accepts(JsonObjectText, text)).toBe(false),
  );
  it.each(['[]', '', '["--check", "-e", "a=b"]'])('takes the arguments %j', (text) =>
    expect(accepts(ArgumentsText, text)).toBe(true),
  );
  it.each(['{}', '[1]', '["a", null]', '"a"', '[["a"]]'])('refuses the arguments %j', (text) =>
    expect(accepts(ArgumentsText, text)).toBe(false),
  );
  it.each(['{"A_B": "x", "n": 1, "t": true}'])('takes the variables %j', (text) =>
    expect(accepts(EnvironmentVariablesText, text)).toBe(true),
  );
  it.each(['{"A B": "x"}', '{"1A": "x"}', '{"A": []}', '{"A": null}', '{"A=B": "x"}'])(
    'refuses the variables %j',
    (text) => expect(accepts(EnvironmentVariablesText, text)).toBe(false),
  );
});

describe('the URL of a repository', () => {
  it.each([
    ['/srv/playbooks', 'local'],
    ['git://host/x.git', 'git'],
    ['file:///srv/x.git', 'file'],
    ['ssh://git@host/x.git', 'ssh'],
    ['git@host:x.git', 'ssh'],
    ['https://host/x.git', 'https'],
    ['HTTPS://host/x.git', 'https'],
    ['http://host/x.git', 'http'],
    ['ftp://host/x', undefined],
    ['git@[::1]:x.git', 'ssh'],
    ['ext::sh -c id', undefined],
    ['ext::id', undefined],
    ['-oProxyCommand=x', undefined],
    ['', undefined],
  ])('%j is of type %s', (url, type) => expect(repositoryType(url)).toBe(type));

  it('requires a branch unless it is local', () => {
    const repository = { name: 'r', ssh_key_id: 1 };
    expect(accepts(NewRepository, { ...repository, git_url: '/srv/x' })).toBe(true);
    expect(accepts(NewRepository, { ...repository, git_url: 'https://h/x' })).toBe(false);
    expect(accepts(NewRepository, { ...repository, git_url: 'https://h/x', git_branch: 'main' })).toBe(true);
  });
});

describe('values that must not become options or commands', () => {
  it.each(['main', 'feature/x', 'v1.2'])('takes the branch %j', (branch) => expect(accepts(Branch, branch)).toBe(true));
  it.each(['-x', '--upload-pack=x', 'a..b', 'a b', 'a~1', 'a^', 'a:b', '@{u}', 'a\nb'])(
    'refuses the branch %j',
    (branch) => expect(accepts(Branch, branch)).toBe(false),
  );
  it.each(['site.yml', 'plays/site.yml'])('takes the path %j', (path) =>
    expect(accepts(CheckoutPath, path)).toBe(true),
  );
  it.each(['', '/etc/passwd', '../x', 'a/../../x', '-x', 'a\nb'])('refuses the path %j', (path) =>
    expect(accepts(CheckoutPath, path)).toBe(false),
  );
  it.each(['', 'web-*', 'web:!db', 'all,localhost', '~(web|db)\\d', 'ops@web-1'])('takes the limit %j', (limit) =>
    expect(accepts(HostLimit, limit)).toBe(true),
  );
  it.each(['-x', '@/etc/passwd', 'a\nb', 'no\u202eone'])('refuses the limit %j', (limit) =>
    expect(accepts(HostLimit, limit)).toBe(false),
  );
  // Each of these made Ansible read the file and print what it found there.
  it.each(['web,@/f', 'web, @/f', 'web:@/f', 'web @/f', 'a]@/f', 'a[@/f', 'web,\u001c@/f', 'web,\u00a0@/f'])(
    '[S7] refuses a file in the limit %j',
    (limit) => expect(accepts(HostLimit, limit)).toBe(false),
  );
});
