import { describe, expect, it } from 'vitest';
import { commitUrl } from './commit-url.ts';

describe('the page of a commit', () => {
  it.each([
    ['https://github.com/acme/site.git', 'https://github.com/acme/site/commit/abc'],
    [
      'https://user:token@gitlab.example.org:8443/group/sub/site',
      'https://gitlab.example.org/group/sub/site/commit/abc',
    ],
    ['git@github.com:acme/site.git', 'https://github.com/acme/site/commit/abc'],
    ['ssh://git@codeberg.org:2222/acme/site.git/', 'https://codeberg.org/acme/site/commit/abc'],
    ['https://bitbucket.org/acme/site', 'https://bitbucket.org/acme/site/commits/abc'],
    ['https://gitea.lan/a b/"site"', 'https://gitea.lan/a%20b/%22site%22/commit/abc'],
  ])('of %s is known', (repository, url) => {
    expect(commitUrl(repository, 'abc')).toBe(url);
  });

  it.each([
    ['/srv/git/site'],
    ['file:///srv/git/site'],
    ['https://git.example.org/site.git'],
    ['https://notgithub.com/acme/site'],
    ['javascript:alert(1)//github.com/a'],
    ['git@github.com'],
    [''],
  ])('of %s is not known', (repository) => {
    expect(commitUrl(repository, 'abc')).toBeUndefined();
  });
});
