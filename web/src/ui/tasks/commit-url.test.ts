import { describe, expect, it } from 'vitest';
import { commitUrl, fileUrl } from './commit-url.ts';

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

describe('the page of a line of a file', () => {
  it.each([
    ['git@github.com:acme/site.git', 'https://github.com/acme/site/blob/abc/roles/base/main.yml#L18'],
    ['https://gitlab.example.org/acme/site', 'https://gitlab.example.org/acme/site/-/blob/abc/roles/base/main.yml#L18'],
    ['https://codeberg.org/acme/site.git', 'https://codeberg.org/acme/site/src/commit/abc/roles/base/main.yml#L18'],
    ['git@bitbucket.org:acme/site.git', 'https://bitbucket.org/acme/site/src/abc/roles/base/main.yml#lines-18'],
    ['/srv/git/site', undefined],
  ])('of %s is %s', (repository, url) => {
    expect(fileUrl(repository, 'abc', 'roles/base/main.yml:18')).toBe(url);
  });

  it('has no line without a number, and no character with a meaning in a path', () => {
    expect(fileUrl('git@github.com:a/b', 'abc', 'my play?#.yml')).toBe(
      'https://github.com/a/b/blob/abc/my%20play%3F%23.yml',
    );
  });
});
