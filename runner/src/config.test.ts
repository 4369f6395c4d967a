import { userInfo } from 'node:os';
import { describe, expect, it } from 'vitest';
import { readConfig } from './config.ts';

const NEEDED = {
  SIGNALBOX_SERVER: 'https://signalbox.example.com',
  SIGNALBOX_RUNNER_TOKEN_FILE: '/token',
  SIGNALBOX_RUNNER_DATA: '/data',
};

describe('the home folder of processes that a runner starts', () => {
  it.each([undefined, ''])('is that of the runner user if HOME is %j', (HOME) => {
    expect(readConfig({ ...NEEDED, HOME }).base.HOME).toBe(userInfo().homedir);
  });

  it('is the value of HOME', () => {
    expect(readConfig({ ...NEEDED, HOME: '/srv/home' }).base.HOME).toBe('/srv/home');
  });
});
