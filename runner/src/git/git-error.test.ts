import { describe, expect, it } from 'vitest';
import { gitEndReason, gitMessage } from './git-error.ts';

const messageOf = (stderr: string): string =>
  gitMessage('It failed', { code: 128, error: null, stdout: '', stdoutBytes: 0, stderr }, '/data/known-hosts');

describe('the end reason of a failed git', () => {
  it.each([
    ['timeout', null, { detail: 'it took too long', detail_code: 'git_timeout' }],
    [null, null, { detail: 'git was ended by a signal', detail_code: 'git_signal' }],
    [null, 128, { detail: 'no route' }],
  ] as const)('has a code for what git did not print itself: %s, %s', (error, code, detail) => {
    expect(gitEndReason({ code, error, stdout: '', stdoutBytes: 0, stderr: 'fatal: no route\n' }, false)).toEqual({
      code: 'git.unreachable',
      params: { repository: '', ...detail },
    });
  });
});

describe('the reason why git failed', () => {
  it.each([
    ['blanks', ' '],
    ['letters', 'x'],
    ['beginnings of a login', 'a@'],
    ['beginnings of a reason', 'a: Permission denied ('],
    ['beginnings of a refused key', 'Offending x key in /'],
    ['beginnings of an address', "unable to access 'x': "],
  ])('is found quickly after a long line of %s, as a server can send it', (_, beginning) => {
    const long = beginning.repeat(Math.ceil((8 << 20) / beginning.length));
    expect(messageOf(`${long}\nann@host: Permission denied (publickey).\n`)).toBe(
      'It failed: ann@host does not accept the key (it takes publickey).',
    );
  });

  it('is never cut inside a token', () => {
    const message = messageOf(`fatal: ${'words '.repeat(80)}half-a-secret-that-is-masked-as-a-whole\n`);
    expect(message).toMatch(/^It failed: (words ){80}…\.$/);
  });

  it('contains no user info, also from a line that is longer than the checked part', () => {
    for (const length of [900, 970, 990, 64 * 1024])
      expect(messageOf(`fatal: ${'x'.repeat(length)} https://ann:hidden-token@host/a.git`)).not.toContain('hidden');
  });
});
