import { describe, expect, it } from 'vitest';
import { endSession, isSignedIn, onSessionEnd } from './session.ts';

describe('the session cookie that scripts can read', () => {
  it.each([
    ['signalbox_signed_in=1', true],
    ['a=b; signalbox_signed_in=1; c=d', true],
    ['signalbox_signed_in=0', false],
    ['signalbox_signed_in=', false],
    ['not_signalbox_signed_in=1', false],
    ['', false],
  ])('in %j is %s', (cookies, signedIn) => {
    expect(isSignedIn(cookies)).toBe(signedIn);
  });
});

describe('the end of a session', () => {
  it('notifies every listener until it is removed', () => {
    const received: string[] = [];
    const leave = onSessionEnd((end) => received.push(`first ${end}`));
    const leaveToo = onSessionEnd((end) => received.push(`second ${end}`));
    endSession('expired');
    leave();
    endSession('left');
    leaveToo();
    endSession('left');
    expect(received).toEqual(['first expired', 'second expired', 'second left']);
  });
});
