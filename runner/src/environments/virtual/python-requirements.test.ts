import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readRequirements } from './python-requirements.ts';

let checkout: string;
beforeEach(() => {
  checkout = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-requirements-')));
});
afterEach(() => rmSync(checkout, { recursive: true, force: true }));

const write = (name: string, text: string): void => {
  mkdirSync(dirname(join(checkout, name)), { recursive: true });
  writeFileSync(join(checkout, name), text);
};
const read = (requirements: string, requirements_file = '') =>
  readRequirements(checkout, { requirements, requirements_file });

describe('requirements of a virtual environment', () => {
  it('are read with the files that they include, each next to the file that names it', async () => {
    write('a/top.txt', '-r common.txt\n-c ../limits.txt\njmespath \\\n  ==1.0.1 # for json_query\n');
    write('a/common.txt', '--requirement=top.txt\nansible-core==2.19.1\n');
    write('limits.txt', 'cryptography<45\n');
    const found = await read('netaddr==1.3.0', 'a/top.txt');
    expect(found.requirements).toEqual(['netaddr==1.3.0', 'ansible-core==2.19.1', 'jmespath ==1.0.1']);
    expect(found.constraints).toEqual(['cryptography<45']);
    expect(found.isPinned).toBe(true);
  });

  it.each([
    ['ansible-core==2.19.1', true],
    ['ansible-core[x] == 2.19.1 ; python_version > "3.10"', true],
    ['ansible-core==2.19.1 --hash=sha256:00 --hash=sha256:11', true],
    ['git+https://git.example/a.git@0123456789012345678901234567890123456789', true],
    ['ansible-core', false],
    ['ansible-core==2.19.*', false],
    ['ansible-core>=2.19', false],
    ['a @ git+https://git.example/a.git@main', false],
    ['-r https://example.org/requirements.txt', false],
  ])('fix their versions or not: %s', async (line, isPinned) => {
    expect((await read(line)).isPinned).toBe(isPinned);
  });

  it('may be paths within the repository, whose content counts', async () => {
    write('packages/own/setup.py', '');
    write('wheels/a-1-py3-none-any.whl', '');
    const found = await read('./packages/own[x] ; python_version > "3"\n-f wheels\n./wheels/a-1-py3-none-any.whl\n');
    expect(found.requirements).toEqual([
      `${checkout}/packages/own[x] ; python_version > "3"`,
      `--find-links=${checkout}/wheels`,
      `${checkout}/wheels/a-1-py3-none-any.whl`,
    ]);
    expect(found.local).toEqual(
      ['packages/own', 'wheels', 'wheels/a-1-py3-none-any.whl'].map((one) => join(checkout, one)),
    );
  });

  it.each([
    '-e .',
    '--editable=git+https://git.example/a.git#egg=a',
    '../other',
    '/srv/packages/a.whl',
    '~/a.whl',
    'a @ file:///srv/a.whl',
    'git+file:///srv/a.git',
    'link/a.whl',
    '--find-links=/srv/wheels',
    '-f file:///srv/wheels',
    '--index-url file:///srv/index',
    'a @ /srv/a',
    'a[x]@/srv/a.whl',
    'a @ ../a',
    'git+file:///srv/a.git@x:y',
    `$${'{PACKAGE}'}`,
    '--index-url /srv/index',
    '--index-url=index',
    '-i/srv/index',
    '--pre --extra-index-url /srv/index',
    '--edit /srv/a',
    '--req /srv/requirements.txt',
  ])('are refused if they are editable or outside: %s', async (line) => {
    symlinkSync('/usr', join(checkout, 'link'));
    await expect(read(line)).rejects.toMatchObject({
      endReason: { code: 'virtual_environment.requirement_refused', params: { requirement: line } },
    });
  });

  it.each([
    ['a separator', 'ansible-core==2.19.1\u2028-r /etc/passwd'],
    ['a form feed', 'ansible-core==2.19.1\f-e /srv/x'],
    ['a return', 'ansible-core==2.19.1\r-e /srv/x'],
    ['very many blanks', `a${' '.repeat(3000)}x`],
    ['a very long address', `git+a://${'@'.repeat(3000)}`],
  ])('are refused before they are read with %s', async (_, line) => {
    await expect(read(line)).rejects.toMatchObject({ endReason: { code: 'virtual_environment.requirement_refused' } });
  });

  it.each(['missing.txt', '../outside.txt', 'link/share/common-licenses/BSD'])(
    'are refused if a file is not in the repository: %s',
    async (file) => {
      symlinkSync('/usr', join(checkout, 'link'));
      write('including.txt', `-r ${file}\n`);
      await expect(read('', 'including.txt')).rejects.toMatchObject({
        endReason: { code: 'virtual_environment.file_missing' },
      });
    },
  );

  it.each([
    '--index-url https://packages.example/simple?a=b',
    '-ihttps://packages.example --extra-index-url=https://other.example',
    '--no-index --find-links https://packages.example/files',
    '--only-binary :all:',
    '--require-hashes',
    'a[x] @ https://packages.example/a.whl',
    'a @ git+ssh://git@git.example/team/a.git@main',
  ])('may have options and addresses: %s', async (line) => expect((await read(line)).requirements).toEqual([line]));

  it('may name a path after the name of a package', async () => {
    write('own/setup.py', '');
    const found = await read('own[x] @ ./own ; python_version > "3"');
    expect(found.requirements).toEqual([`own[x] @ ${checkout}/own ; python_version > "3"`]);
    expect(found.local).toEqual([join(checkout, 'own')]);
  });

  it('may name a file both as requirements and as constraints', async () => {
    write('both.txt', 'a==1\n');
    const found = await read('-c both.txt\n-r both.txt\n-r both.txt');
    expect(found).toMatchObject({ requirements: ['a==1'], constraints: ['a==1'] });
  });

  it('name the variables that they contain', async () => {
    const found = await read(`--index-url=https://x:$${'{TOKEN}'}@packages.example/simple\na==1`);
    expect(found.variables).toEqual(['TOKEN']);
  });
});
