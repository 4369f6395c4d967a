import { describe, expect, it } from 'vitest';
import { staysInside } from './tree-links.ts';

describe('[S7] a link of a tree', () => {
  const tree = new Set(['site.yml', 'plays', 'plays/web.yml']);
  const links = new Map([
    ['near.yml', 'site.yml'],
    ['plays/up.yml', '../site.yml'],
    ['folder', 'plays'],
    ['twice.yml', 'folder/up.yml'],
    ['out.yml', '../site.yml'],
    ['deep-out.yml', 'plays/../../etc/passwd'],
    ['absolute.yml', '/etc/passwd'],
    ['by-folder.yml', 'folder/../../x'],
    ['dangling.yml', 'none.yml'],
    ['self.yml', 'self.yml'],
    ['top', '.'],
  ]);
  const stays = (path: string) => staysInside(path, links, (one) => tree.has(one));

  it.each(['near.yml', 'plays/up.yml', 'folder', 'twice.yml'])('%s leads to an entry of the tree', (path) => {
    expect(stays(path)).toBe(true);
  });

  it.each(['out.yml', 'deep-out.yml', 'absolute.yml', 'by-folder.yml', 'dangling.yml', 'self.yml', 'top'])(
    '%s leads to no entry of the tree',
    (path) => {
      expect(stays(path)).toBe(false);
    },
  );

  it('leads nowhere if it is longer than any path', () => {
    const leads = (target: string) => staysInside('link', new Map([['link', target]]), (one) => one === 'site.yml');
    expect(leads(`${'./'.repeat(100)}site.yml`)).toBe(true);
    for (const target of [`./${'/'.repeat(4096)}site.yml`, `${'a/../'.repeat(200)}site.yml`])
      expect(leads(target)).toBe(false);
    expect(leads(`${'a/'.repeat(1 << 20)}${'../'.repeat(1 << 20)}site.yml`)).toBe(false);
  });

  it('costs no more than a few components, however many links of thousands lead through each other', () => {
    let read = 0;
    const long = {
      get: (path: string) => {
        read += 1;
        return path === 'k' ? `k${'/'.repeat(4000)}` : undefined;
      },
    };
    expect(staysInside('k', long as ReadonlyMap<string, string>, () => true)).toBe(false);
    expect(read).toBe(1);
  });
});
