import { expect, it } from 'vitest';
import { redactUrl } from './repository.policy.ts';

it.each([
  ['https://ann:word@git.example/x.git', 'https://git.example/x.git'],
  ['https://ann:w@rd@git.example/x.git', 'https://git.example/x.git'],
  ['SSH://git@git.example/x.git', 'SSH://git.example/x.git'],
  ['https://git.example/x@2.git', 'https://git.example/x@2.git'],
  ['git@git.example:x.git', 'git@git.example:x.git'],
  ['/srv/a@b', '/srv/a@b'],
])('no part of a user name or password remains in %s', (url, redacted) => expect(redactUrl(url)).toBe(redacted));
