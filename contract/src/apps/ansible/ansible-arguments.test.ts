import { describe, expect, it } from 'vitest';
import { argumentForEditors } from './ansible-arguments.ts';

describe('[S7] arguments from users who may run tasks', () => {
  it.each([
    [[]],
    [['--tags', 'web,db']],
    [['--tags=web']],
    [['-t', 'web', '--skip-tags', 'slow', '--start-at-task=Copy the -file']],
    [['-vvv', '--check', '--diff', '-C', '-D', '--verbose']],
    [['-f', '10', '--forks=3', '-T', '30']],
    [['--limit', 'web:!web1', '-l', 'db*']],
    [['--list-hosts']],
  ])('%j', (args) => {
    expect(argumentForEditors(args)).toBeUndefined();
  });
});

describe('[S7] arguments from users who may edit templates', () => {
  it.each([
    [['-e', 'ansible_connection=local']],
    [['--extra-vars=@/etc/passwd']],
    [['--extra-v', 'x=1']],
    [['--tag', 'web']],
    [['--ta=web']],
    [['--vault-password-file', '/bin/id']],
    [['-i', '/tmp/script']],
    [['--inventory=/tmp/script']],
    [['-c', 'local']],
    [['--connection=local']],
    [['--ssh-common-args=-oProxyCommand=id']],
    [['--private-key', '/root/.ssh/id_rsa']],
    [['-u', 'root']],
    [['-b']],
    [['--become-user=root']],
    [['-K']],
    [['-M', '/tmp/modules']],
    [['other-playbook.yml']],
    [['--', 'other.yml']],
    [['']],
    [['--tags']],
    [['--tags', '-e']],
    [['--tags', '']],
    [['--tags=']],
    [['--limit', '@/etc/passwd']],
    [['--limit=@/etc/passwd']],
    [['-l', '-x']],
    [['-f', '1e9']],
    [['-f5']],
    [['-tweb']],
    [['--check=1']],
    [['-vvvvvvv']],
    [['constructor']],
    [['__proto__']],
    [['-CD']],
  ])('%j', (args) => {
    expect(argumentForEditors(args)).toBe(args[0]);
  });

  it('are also checked after other arguments', () => {
    expect(argumentForEditors(['--tags', 'web', '-v', '-e', 'x=1'])).toBe('-e');
  });
});
