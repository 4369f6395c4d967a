import { userInfo } from 'node:os';
import { describe, expect, it } from 'vitest';
import { readConfig } from './config.ts';

const NEEDED = {
  SIGNALBOX_SERVER: 'https://signalbox.example.com',
  SIGNALBOX_RUNNER_TOKEN_FILE: '/token',
  SIGNALBOX_RUNNER_DATA: '/data',
};

describe('the home folder of what a runner starts', () => {
  it.each([undefined, ''])('is that of its user where HOME is %j', (HOME) => {
    expect(readConfig({ ...NEEDED, HOME }).base.HOME).toBe(userInfo().homedir);
  });

  it('is what HOME says', () => {
    expect(readConfig({ ...NEEDED, HOME: '/srv/home' }).base.HOME).toBe('/srv/home');
  });
});
