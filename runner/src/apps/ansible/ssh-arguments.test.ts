import { describe, expect, it } from 'vitest';
import { removeRunOptions, splitArguments } from './ssh-arguments.ts';

describe('a string of SSH arguments', () => {
  it.each([
    [' a  b\n\tc ', ['a', 'b', 'c']],
    [`'a b' "c 'd'" e\\ f`, ['a b', "c 'd'", 'e f']],
    [`-o"X=a b"'c'`, ['-oX=a bc']],
    [String.raw`"a\"b\\c\d" '\'`, [String.raw`a"b\c\d`, '\\']],
    ['""', ['']],
    ['', []],
    ["a 'b", undefined],
    ['a"', undefined],
    ['a\\', undefined],
  ])('%j is split as a shell does', (text, expected) => {
    expect(splitArguments(text)).toEqual(expected);
  });
});

describe('the SSH arguments without the options that Signalbox sets', () => {
  const PROXY = `-o ProxyCommand="ssh -F ./ssh.cfg -S none -o ControlPath=none -W %h:%p -q bastion"`;
  const KEPT = `-o 'ProxyCommand=ssh -F ./ssh.cfg -S none -o ControlPath=none -W %h:%p -q bastion'`;

  it.each([
    ['-C -o ControlMaster=auto', undefined, '-C -o ControlMaster=auto'],
    ['-F ssh.cfg -C', 'ssh.cfg', '-C'],
    ['-C -Fssh.cfg', 'ssh.cfg', '-C'],
    ["-C -F 'a b.cfg' -o X=-Fy", 'a b.cfg', '-C -o X=-Fy'],
    ['-F one -F "two"', 'two', ''],
    ['-l -Fx -F', '', '-l -Fx'],
    [PROXY, undefined, KEPT],
    [`${PROXY} -F own`, 'own', KEPT],
    ['-o ControlPath=/tmp/%h -o ControlPersist=60s', undefined, '-o ControlPersist=60s'],
    ['-ocontrolpath=/tmp/%h -o "ControlPath /tmp/x" -C', undefined, '-C'],
    ['-S /tmp/x -C -S/tmp/y', undefined, '-C'],
    ['-o ControlPathX=1', undefined, '-o ControlPathX=1'],
    ["-F x 'not closed", undefined, "-F x 'not closed"],
    ['', undefined, ''],
  ])('are %j, the configuration %j, and %j', (given, file, rest) => {
    expect(removeRunOptions(given)).toEqual({ file, rest });
  });

  it('omit options for scp and sftp whose letters mean other things there', () => {
    expect(removeRunOptions('-O -S program -F x -o ControlPath=/tmp/%h', 'scp_extra_args')).toEqual({
      file: undefined,
      rest: '-O -S program -F x',
    });
  });
});
