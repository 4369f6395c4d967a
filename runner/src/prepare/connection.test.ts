import { describe, expect, it } from 'vitest';
import { sshArguments, takeConfigFile } from './connection.ts';

describe('the arguments of ssh', () => {
  it.each([
    ['-C -o ControlMaster=auto', undefined, '-C -o ControlMaster=auto'],
    ['-F ssh.cfg -C', 'ssh.cfg', '-C'],
    ['-C -Fssh.cfg', 'ssh.cfg', '-C'],
    ["-C -F 'a b.cfg' -o X=-Fy", 'a b.cfg', '-C  -o X=-Fy'],
    ['-F one -F "two"', 'two', ''],
    ['', undefined, ''],
  ])('%j name the configuration %j', (given, file, rest) => {
    expect(takeConfigFile(given)).toEqual({ file, rest });
  });

  it('go before ours, and behind them only under a strict policy', () => {
    const knownHosts = ['/a b/known'];
    expect(sshArguments('-F x -C', '/run/config', { policy: 'accept-new', knownHosts })).toBe("-C -F '/run/config'");
    expect(sshArguments('-C', "/o'neil/config", { policy: 'strict', knownHosts })).toBe(
      `-o StrictHostKeyChecking=yes -o 'UserKnownHostsFile="/a b/known"' -C -F '/o'"'"'neil/config'`,
    );
  });
});
