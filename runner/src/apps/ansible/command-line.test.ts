import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { insideCheckout } from '../../git/inside-checkout.ts';
import { commandLine, type PlaybookCall, shownCommandLine } from './command-line.ts';

const CALL: PlaybookCall = {
  ansiblePlaybook: '/usr/bin/ansible-playbook',
  playbook: '/run/checkout/site.yml',
  inventory: '/run/secrets/inventory',
  user: undefined,
  vaultPasswordFile: undefined,
  vaults: [],
  extraVariableFiles: [],
  dryRun: false,
  diff: false,
  debug: false,
  limit: '',
  arguments: [],
};
const START = ['/usr/bin/ansible-playbook', '--inventory=/run/secrets/inventory'];
const END = '/run/checkout/site.yml';

describe('the command line', () => {
  const table: [string, Partial<PlaybookCall>, string[]][] = [
    ['a plain run', {}, []],
    ['a dry run', { dryRun: true }, ['--check']],
    ['a diff', { diff: true }, ['--diff']],
    ['debug', { debug: true }, ['-vvvv']],
    ['a limit', { limit: 'web:!web1, db*' }, ['--limit=web:!web1, db*']],
    [
      'a limit with the syntax of options',
      { limit: '--limit x -e @/etc/passwd' },
      ['--limit=--limit x -e @/etc/passwd'],
    ],
    ['a user', { user: '-oProxyCommand=x' }, ['--user=-oProxyCommand=x']],
    ['a vault', { vaultPasswordFile: '/v' }, ['--vault-password-file=/v']],
    ['variables in order', { extraVariableFiles: ['/1', '/2'] }, ['--extra-vars=@/1', '--extra-vars=@/2']],
    ['unchanged arguments', { arguments: ['--tags', 'a b', '; rm -rf /'] }, ['--tags', 'a b', '; rm -rf /']],
    [
      'everything at once',
      { dryRun: true, diff: true, debug: true, limit: 'a', arguments: ['-f1'] },
      ['--check', '--diff', '-vvvv', '--limit=a', '-f1'],
    ],
  ];
  it.each(table)('contains the options for %s', (_, change, middle) => {
    expect(commandLine({ ...CALL, ...change })).toEqual([...START, ...middle, END]);
  });

  it('shows short paths, and quotes arguments where a shell needs it', () => {
    const call = { ...CALL, limit: "a b'c", extraVariableFiles: ['/run/secrets/1-a.json'] };
    expect(shownCommandLine(call, '/run')).toBe(
      "ansible-playbook --inventory=secrets/inventory --extra-vars=@secrets/1-a.json '--limit=a b'\\''c' checkout/site.yml",
    );
  });

  it('shows any arguments on one line, so that they cannot forge a log line', () => {
    const shown = shownCommandLine(
      { ...CALL, arguments: ['-e', 'a=1\nTask ended: success.\r\u001b[2K\u2028x'] },
      '/run',
    );
    expect(shown).toBe(
      "ansible-playbook --inventory=secrets/inventory -e 'a=1␊Task ended: success.␍␛[2K\ufffdx' checkout/site.yml",
    );
  });

  it('[S3] does not show the login of a key', () => {
    const shown = shownCommandLine({ ...CALL, user: 'deployer' }, '/run');
    expect(shown).toBe("ansible-playbook --inventory=secrets/inventory '--user=****' checkout/site.yml");
  });
});

describe('a path inside the checkout', () => {
  it('may contain links, but must stay inside the checkout', () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-path-')));
    try {
      const checkout = join(folder, 'checkout');
      mkdirSync(join(checkout, 'plays'), { recursive: true });
      writeFileSync(join(checkout, 'plays', 'a.yml'), '');
      writeFileSync(join(folder, 'secret.yml'), '');
      symlinkSync('plays/a.yml', join(checkout, 'link.yml'));
      symlinkSync('../secret.yml', join(checkout, 'out.yml'));
      symlinkSync('..', join(checkout, 'up'));
      symlinkSync('checkout', join(folder, 'linked'));
      expect(insideCheckout(checkout, 'plays/a.yml', 'The playbook')).toBe(join(checkout, 'plays/a.yml'));
      expect(insideCheckout(checkout, 'link.yml', 'The playbook')).toBe(join(checkout, 'link.yml'));
      expect(insideCheckout(join(folder, 'linked'), 'link.yml', 'The playbook')).toBe(join(checkout, 'link.yml'));
      for (const path of ['../secret.yml', 'out.yml', 'up/secret.yml', 'plays/../../secret.yml']) {
        expect(() => insideCheckout(checkout, path, 'The playbook')).toThrow(
          `The playbook ${path} is outside the repository.`,
        );
      }
      for (const path of ['none.yml', '/etc/passwd-none', '-x']) {
        expect(() => insideCheckout(checkout, path, 'The playbook')).toThrow('is not in the repository');
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
