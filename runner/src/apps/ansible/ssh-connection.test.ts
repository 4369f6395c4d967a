import { describe, expect, it } from 'vitest';
import { sshArguments } from './ssh-connection.ts';

describe('the arguments of ssh', () => {
  it('precede those of Signalbox, and follow them only under a strict policy', () => {
    const knownHosts = ['/a b/known'];
    expect(sshArguments('-C', '/run/config', { policy: 'accept-new', knownHosts })).toBe('-C -F /run/config');
    expect(sshArguments('-C', "/o'neil/config", { policy: 'strict', knownHosts })).toBe(
      `-o StrictHostKeyChecking=yes -o 'UserKnownHostsFile="/a b/known"' -C -F '/o'"'"'neil/config'`,
    );
  });
});
