import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PreparationError } from '../../errors/preparation-error.ts';
import { requirementsKey } from './galaxy.ts';
import { findRequirements } from './requirements.ts';

let folder: string;
let checkout: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-requirements-')));
  checkout = join(folder, 'checkout');
  mkdirSync(join(checkout, 'plays'), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (name: string, text: string) => {
  mkdirSync(dirname(join(checkout, name)), { recursive: true });
  writeFileSync(join(checkout, name), text);
};
const find = (roots: string[] = []) => findRequirements(checkout, join(checkout, 'plays', 'site.yml'), roots);
const entriesOf = (text: string, roots?: string[]) => {
  write('requirements.yml', text);
  return find(roots).flatMap(({ kind, list }) => list.map(({ entry }) => [kind, entry]));
};

/** The parameters of the end reason for refused requirements. */
const paramsOf = (text: string): Readonly<Record<string, unknown>> => {
  try {
    entriesOf(text);
  } catch (error) {
    if (error instanceof PreparationError) return error.endReason.params;
  }
  return {};
};
const detailOf = (text: string): unknown => {
  const params = paramsOf(text);
  return 'detail' in params ? (params.detail_code ?? 'no code') : 'no detail';
};

describe('requirements', () => {
  it('are found where Ansible expects them', () => {
    expect(find()).toEqual([]);
    write('requirements.yml', 'roles:\n  - src: a.b\ncollections:\n  - c.d\n');
    write('plays/requirements.yaml', '- src: e.f\n');
    write('roles/requirements.yml', '- src: g.h\n');
    write('collections/requirements.yml', 'collections: [{name: i.j}]\n');
    write('other/requirements.yml', '- src: no.no\n');
    expect(find().map(({ name, kind, list }) => [name, kind, list.length])).toEqual([
      ['plays/requirements.yaml', 'role', 1],
      ['requirements.yml', 'role', 1],
      ['requirements.yml', 'collection', 1],
      ['roles/requirements.yml', 'role', 1],
      ['collections/requirements.yml', 'collection', 1],
    ]);
  });

  it.each([
    ['- geerlingguy.nginx', 'role', { src: 'geerlingguy.nginx', name: 'geerlingguy.nginx' }],
    ['- {src: a.b, version: 1.2}', 'role', { src: 'a.b', name: 'a.b', version: '1.2' }],
    ['- a.b,v1,short', 'role', { src: 'a.b', name: 'short', version: 'v1' }],
    [
      '- git+https://host/group/thing.git,v1',
      'role',
      { src: 'https://host/group/thing.git', name: 'thing', scm: 'git', version: 'v1' },
    ],
    [
      '- {src: "git@host:group/thing.git", scm: git}',
      'role',
      { src: 'git@host:group/thing.git', name: 'thing', scm: 'git' },
    ],
    ['- {src: https://github.com/a/b}', 'role', { src: 'https://github.com/a/b', name: 'b', scm: 'git' }],
    ['- {src: https://host/b.tar.gz, name: c}', 'role', { src: 'https://host/b.tar.gz', name: 'c' }],
    ['collections: [a.b]', 'collection', { name: 'a.b', type: 'galaxy' }],
    [
      'collections: [{name: a.b, version: ">=1,<2", source: https://hub/}]',
      'collection',
      { name: 'a.b', type: 'galaxy', version: '>=1,<2', source: 'https://hub/' },
    ],
    [
      'collections: [{name: "git+https://host/x.git#/sub,main"}]',
      'collection',
      { source: 'git+https://host/x.git#/sub,main', type: 'git' },
    ],
    ['collections: [https://host/a-b-1.tar.gz]', 'collection', { source: 'https://host/a-b-1.tar.gz', type: 'url' }],
    ['x: &x {version: 2.0.0}\n', 'none', {}],
    ['collections:\n  - &one {name: a.b, version: 1.0.0}\n  - {<<: *one, name: c.d}\n', 'merged', {}],
  ])('%s is passed to ansible-galaxy as it was checked', (text, kind, entry) => {
    if (kind === 'none') expect(entriesOf(text)).toEqual([]);
    else if (kind === 'merged')
      expect(entriesOf(text)[1]?.[1]).toEqual({ name: 'c.d', type: 'galaxy', version: '1.0.0' });
    else expect(entriesOf(text)).toEqual([[kind, entry]]);
  });

  it.each([
    '- {src: "--upload-pack=touch x", scm: git}',
    '- {src: "git+ext::sh -c id"}',
    '- {src: "hg+https://host/x"}',
    '- {src: a.b, name: ../../evil}',
    '- {src: a.b, name: /etc/evil}',
    '- {src: "https://host/.."}',
    '- {src: a.b, version: "--output=x"}',
    '- {src: "git+file:///etc"}',
    '- {src: "git+ssh://-oProxyCommand=x/y"}',
    '- {src: ftp://host/x.tar.gz}',
    '- {src: file:///etc/passwd}',
    '- {src: /etc/passwd}',
    '- {src: ../outside.tar.gz}',
    '- {src: link.tar.gz}',
    '- [a]',
    '- include: ../outside.yml',
    '- include: link.yml',
    '- {src: a.b, src: "git+ext::x"}',
    'collections: [{name: "-x"}]',
    'collections: [{name: /etc}]',
    'collections: [{name: ../outside, type: dir}]',
    'collections: [{name: a.b, source: "file:///etc"}]',
    'collections: [{source: "ext::sh -c id", type: git, name: a.b}]',
    'collections: [{source: "git+https://host/x#../../..", name: a.b, type: git}]',
    'collections: [{source: "file:///etc/passwd", type: url}]',
    'collections: [{source: "gopher://x/y", type: url}]',
    'collections: [{name: a.b, signatures: ["file:///etc/shadow"]}]',
    'collections: [{name: a.b, type: exec}]',
    'roles: {a: b}',
    'a: [',
  ])('[S7] %s is refused with one message', (text) => {
    writeFileSync(join(folder, 'outside.tar.gz'), '');
    writeFileSync(join(folder, 'outside.yml'), '- a.b\n');
    mkdirSync(join(folder, 'outside'));
    symlinkSync('../outside.tar.gz', join(checkout, 'link.tar.gz'));
    symlinkSync('../outside.yml', join(checkout, 'link.yml'));
    expect(() => entriesOf(text)).toThrow(/^The (requirements?|file of requirements) .*\S$/);
    // The last message is from the YAML parser.
    if (text !== 'a: [') expect(detailOf(text)).not.toBe('no code');
  });

  it.each([
    ['- {src: "a\\nb", scm: git}', 'field_not_text', 'src'],
    ['- {src: a.b, version: "--output=x"}', 'field_dash', 'version'],
    ['- {src: ./absent.tar.gz}', 'file_missing', undefined],
    ['- {src: /etc/passwd}', 'outside_folders', undefined],
    ['collections: [{source: "git+https://host/x#../..", name: a.b, type: git}]', 'folder_outside', undefined],
    ['collections: [{source: "ext::sh -c id", type: git, name: a.b}]', 'address_invalid', undefined],
    ['- {src: "git+gopher://host/x"}', 'protocol_refused', 'gopher'],
    ['- {src: ftp://host/x.tar.gz}', 'protocol_refused', 'ftp'],
    ['- {src: "hg+https://host/x"}', 'scm_refused', 'hg'],
    ['- a,b,c,d', 'too_many_parts', undefined],
    ['- [a]', 'not_entry', undefined],
    ['- {version: 1}', 'source_missing', undefined],
    ['- {src: a.b, name: ../../evil}', 'role_name_invalid', undefined],
    ['collections: [{name: x, type: galaxy}]', 'collection_name_invalid', undefined],
    ['collections: [{name: a.b, source: "x y"}]', 'server_invalid', undefined],
    ['collections: [{name: a.b, type: exec}]', 'type_unknown', 'exec'],
    ['roles: 5', 'not_list', undefined],
    ['- {src: a.b, src: c.d}', 'duplicate_key', undefined],
    ['- include: gone.yml', 'path_missing', 'gone.yml'],
    ['- include: ../requirements.yml', 'path_outside', '../requirements.yml'],
    ['a: [', 'no code', undefined],
  ])('that are refused have a code that explains why: %s', (text, code, value) => {
    writeFileSync(join(folder, 'requirements.yml'), '');
    expect(detailOf(text)).toBe(code);
    expect(paramsOf(text).detail_value).toBe(value);
  });

  it('are read quickly or refused with one message for any number of keys, files and arguments', () => {
    const keys = Array.from({ length: 30_000 }, (_, at) => `k${at}`);
    expect(entriesOf(`{${keys}}`)).toEqual([]);
    expect(() => entriesOf(`{${keys},k0}`)).toThrow('a mapping contains the same key twice');
    const tooLong = 'The requirements of the repository are longer than 256 KB in all.';
    expect(() => entriesOf(`# ${'x'.repeat(300_000)}\n`)).toThrow(tooLong);
    expect(() => entriesOf(`# ${'x'.repeat(300_000)}\n`)).toThrow(
      expect.objectContaining({
        endReason: {
          code: 'requirements.invalid',
          params: expect.objectContaining({ detail_code: 'files_too_long' }),
        },
      }),
    );
    write('more.yml', '- c.d\n'.repeat(1_000));
    expect(entriesOf('- include: more.yml\n'.repeat(5_000))).toHaveLength(1_000);
    for (const at of keys.slice(0, 101)) write(`more/${at}.yml`, '- c.d\n');
    const includes = keys.slice(0, 101).map((at) => `- include: more/${at}.yml\n`);
    expect(entriesOf(includes.slice(1).join(''))).toHaveLength(100);
    expect(() => entriesOf(includes.join(''))).toThrow(
      'The requirements of the repository include more than 100 files.',
    );
    for (const at of keys.slice(0, 2)) write(`more/${at}.yml`, `# ${'x'.repeat(200_000)}\n`);
    expect(() => entriesOf(includes.join(''))).toThrow(tooLong);
  });

  it('[S7] may come from the checkout and from the listed folders, and their file only from the checkout', () => {
    write('files/a.tar.gz', '');
    writeFileSync(join(folder, 'b.tar.gz'), '');
    const text = `- {src: ./files/a.tar.gz, name: a}\n- {src: "file://${folder}/b.tar.gz", name: b}\n`;
    expect(entriesOf(text, [folder])).toEqual([
      ['role', { src: join(checkout, 'files/a.tar.gz'), name: 'a' }],
      ['role', { src: `file://${folder}/b.tar.gz`, name: 'b' }],
    ]);
    write('roles/more.yml', '- c.d\n');
    expect(entriesOf('- include: roles/more.yml\n')).toEqual([['role', { src: 'c.d', name: 'c.d' }]]);
    writeFileSync(join(folder, 'requirements.yml'), '- a.b\n');
    rmSync(join(checkout, 'requirements.yml'));
    symlinkSync('../requirements.yml', join(checkout, 'requirements.yml'));
    expect(() => find()).toThrow('The file of requirements requirements.yml is outside the repository.');
  });
});

describe('a file of requirements', () => {
  it('is refused if it is too long, because reading it would delay every run', () => {
    write('requirements.yml', `#${' '.repeat(1024 * 1024)}`);
    expect(() => find()).toThrow('The requirements of requirements.yml cannot be read as YAML: it is longer than 1 MB');
  });
});

describe('the cache key of installed requirements', () => {
  const keyOf = (text: string, day: string) => {
    entriesOf(text);
    return requirementsKey(find(), day, '');
  };

  it.each([
    ['- {src: a, version: 1}', true],
    ['- {src: a, version: v1.2.3-rc1}', true],
    [`- {src: "git+https://h/x", version: ${'a'.repeat(40)}}`, true],
    ['collections: [{name: a.b, version: ==1.0.0}]', true],
    ['- {src: a}', false],
    ['- {src: "git+https://h/x", version: main}', false],
    ['collections: [{name: a.b, version: ">=1"}]', false],
    ['collections: [{name: a.b, version: 1.0.0}, {name: c.d}]', false],
  ])('%s stays the same on the next day: %s', async (text, isPinned) => {
    expect((await keyOf(text, '2026-01-01')) === (await keyOf(text, '2026-01-02'))).toBe(isPinned);
  });

  it.each([
    ['f'.repeat(40), true],
    ['f'.repeat(64), true],
    ['f'.repeat(39), false],
    ['1.2.3', true],
    ['v1.2.3', true],
    ['1.2.3.4', true],
    ['2026.01.15', true],
    ['v1.2.3-rc1', true],
    ['v1.2.3-rc.1', true],
    ['1.2.3b2', true],
    ['1.2.3.post1', true],
    ['1.2.3-1', true],
    ['1.2.3+build.5', true],
    ['1.x', false],
    ['2-stable', false],
    ['12.x-dev', false],
    ['10.0-lts', false],
    ['10.0.0-lts', false],
    ['1.2.x', false],
    ['1.2.3-dev', false],
    ['1.2.3-rc', false],
    ['1', false],
    ['v2', false],
    ['1.2', false],
    ['v1.2', false],
  ])('treats %s in git as fixed: %s', async (version, isPinned) => {
    for (const text of [
      `- {src: "git+https://h/x", version: "${version}"}`,
      `- {src: "https://github.com/a/b", version: "${version}"}`,
      `collections: [{name: "git+https://h/x.git", version: "${version}"}]`,
    ]) {
      expect((await keyOf(text, '2026-01-01')) === (await keyOf(text, '2026-01-02')), text).toBe(isPinned);
    }
  });

  it('changes with the content of a file in the checkout, and not with the path of the checkout', async () => {
    write('a.tar.gz', 'one');
    const text = '- {src: ./a.tar.gz, name: a}\n';
    const one = await keyOf(text, '2026-01-01');
    expect(await keyOf(text, '2026-01-02')).toBe(one);
    write('a.tar.gz', 'two');
    expect(await keyOf(text, '2026-01-01')).not.toBe(one);
    write('a.tar.gz', 'one');
    const moved = join(folder, 'moved');
    mkdirSync(moved);
    writeFileSync(join(moved, 'requirements.yml'), text);
    writeFileSync(join(moved, 'a.tar.gz'), 'one');
    expect(await requirementsKey(findRequirements(moved, join(moved, 'site.yml'), []), '', '')).toBe(one);
  });

  it('changes with the commits of a local repository, also without a checkout', async () => {
    write('texts/.git/refs/heads/next', 'one');
    const text = `- {src: "git+file://${checkout}/texts", version: next, name: texts}\n`;
    const one = await keyOf(text, '2026-01-01');
    write('texts/.git/refs/heads/next', 'two');
    expect(await keyOf(text, '2026-01-01')).not.toBe(one);
  });

  it('does not change with the .git folder, which differs between clones', async () => {
    const text = 'collections: [{name: ., type: dir}]\n';
    write('galaxy.yml', 'name: texts\n');
    const one = await keyOf(text, '2026-01-01');
    write('.git/index', 'of this clone');
    write('part/.git', 'gitdir: of this clone\n');
    expect(await keyOf(text, '2026-01-01')).toBe(one);
    write('.git/index', 'of this clone, later');
    expect(await keyOf(text, '2026-01-01')).toBe(one);
    write('.gitignore', 'tests\n');
    expect(await keyOf(text, '2026-01-01')).not.toBe(one);
  });
});
