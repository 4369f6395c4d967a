import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { DEMO_REPOSITORY_URL, type RepositorySource, type RunnerQuery } from '@signalbox/contract/link';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WritableFolder } from '../files/writable-folder.ts';
import { runProgram } from '../process/program.ts';
import { HostKeys } from '../ssh/host-keys.ts';
import { queryServiceOf } from '../testing/query-service.testing.ts';
import type { RunnerContext } from '../workspace/runner-context.ts';
import { accessRepository, checkOut } from './checkout.ts';
import { DemoRepository } from './demo-repository.ts';
import { gitEnvironment } from './git.ts';
import { GitMirrors } from './git-mirror.ts';
import { parseRepositoryUrl, shownUrl } from './repository-address.ts';

let folder: string;
let origin: string;
let context: RunnerContext;
let next = 0;
const base = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: '/nonexistent' };
const signal = new AbortController().signal;
const git = async (...args: string[]) => {
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@t', '-c', 'init.defaultBranch=main'];
  const end = await runProgram('git', ['-C', origin, ...identity, ...args], { env: base, timeoutMs: 10_000 });
  if (end.code !== 0) throw new Error(end.stderr);
  return end.stdout.trim();
};
const commit = async (name: string, text: string) => {
  writeFileSync(join(origin, name), text);
  await git('add', '-A');
  await git('commit', '-qm', `Write ${name}`);
  return git('rev-parse', 'HEAD');
};
const source = (change: Partial<RepositorySource> = {}): RepositorySource => ({
  id: 1,
  url: origin,
  branch: 'main',
  access: { type: 'none' },
  ...change,
});
const fetchCode = async (from: RepositorySource, hash: string | null = null) => {
  const options = { env: gitEnvironment(base, context.gitConfig), signal };
  const checkout = join(folder, `checkout-${next++}`);
  const repository = await accessRepository(from, context, WritableFolder.ofRunner(join(folder, 'access')), options);
  try {
    return { checkout, commit: await checkOut(from, hash, repository, context, WritableFolder.ofRunner(checkout)) };
  } finally {
    await repository.close();
  }
};

const options = () => ({ env: gitEnvironment(base, context.gitConfig), signal });
/** Fetches the branch main. @returns the path of the mirror */
const mirrorOf = () =>
  context.mirrors.read({ id: 1, url: origin, branch: 'main', commit: null }, options(), async ({ mirror }) => mirror);

let scattered = 0;
/** Adds unreferenced objects to the one of the 256 folders by which git estimates their number. @returns their hashes */
const scatter = (mirror: string, count: number): string[] => {
  const hashes: string[] = [];
  while (hashes.length < count) {
    const text = `content ${scattered++}`;
    const object = Buffer.from(`blob ${text.length}\0${text}`);
    const hash = createHash('sha1').update(object).digest('hex');
    if (!hash.startsWith('17')) continue;
    mkdirSync(join(mirror, 'objects', '17'), { recursive: true });
    writeFileSync(join(mirror, 'objects', '17', hash.slice(2)), deflateSync(object));
    hashes.push(hash);
  }
  return hashes;
};

beforeEach(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-git-')));
  origin = join(folder, 'origin');
  mkdirSync(origin);
  mkdirSync(join(folder, 'demo'));
  writeFileSync(join(folder, 'gitconfig'), '[safe]\n\tdirectory = *\n');
  context = {
    base,
    workspaces: { root: join(folder, 'workspaces'), user: undefined, env: base },
    sharesFiles: true,
    gitConfig: join(folder, 'gitconfig'),
    outputLimit: 1_000_000,
    mirrors: new GitMirrors(join(folder, 'mirrors')),
    demo: new DemoRepository(join(folder, 'demo'), join(folder, 'demo.git')),
    roots: [folder],
    hostKeys: new HostKeys(join(folder, 'known-hosts'), 'accept-new'),
  };
  await git('init', '-q');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a repository', () => {
  it('is checked out again at the tip of its branch for each run', async () => {
    const first = await commit('a.yml', 'one');
    const one = await fetchCode(source());
    expect(one.commit).toEqual({ hash: first, message: 'Write a.yml' });
    const second = await commit('a.yml', 'two');
    const two = await fetchCode(source());
    expect(two.commit?.hash).toBe(second);
    expect(readFileSync(join(one.checkout, 'a.yml'), 'utf8')).toBe('one');
    expect(readFileSync(join(two.checkout, 'a.yml'), 'utf8')).toBe('two');
    expect(readFileSync(join((await fetchCode(source(), first)).checkout, 'a.yml'), 'utf8')).toBe('one');
  });

  it('follows a branch that was rewritten, another branch, and a tag', async () => {
    await commit('a.yml', 'one');
    await git('tag', '-a', 'v1', '-m', 'v1');
    const tagged = await git('rev-parse', 'HEAD');
    await fetchCode(source());
    await git('commit', '-q', '--amend', '-m', 'Rewritten');
    expect((await fetchCode(source())).commit?.message).toBe('Rewritten');
    await git('checkout', '-q', '-b', 'feature/x');
    const feature = await commit('b.yml', 'b');
    expect((await fetchCode(source({ branch: 'feature/x' }))).commit?.hash).toBe(feature);
    expect((await fetchCode(source({ branch: 'v1' }))).commit?.hash).toBe(tagged);
  });

  it('follows names that begin like a deleted branch or like a tag', async () => {
    await commit('a.yml', 'one');
    await git('branch', 'feature');
    await fetchCode(source({ branch: 'feature' }));
    await git('branch', '-D', 'feature');
    await git('branch', 'feature/x');
    const first = await git('rev-parse', 'HEAD');
    expect((await fetchCode(source({ branch: 'feature/x' }))).commit?.hash).toBe(first);
    await git('tag', 'feature');
    expect((await fetchCode(source({ branch: 'feature' }))).commit?.hash).toBe(first);
    const second = await commit('a.yml', 'two');
    expect((await fetchCode(source(), second)).commit?.hash).toBe(second);
    await git('branch', '-D', 'feature/x');
    await git('branch', 'feature/x/y');
    const third = await commit('a.yml', 'three');
    expect((await fetchCode(source(), third)).commit?.hash).toBe(third);
  });

  it('checks out a commit that only a tag reaches, and a commit that no reference reaches', async () => {
    await commit('a.yml', 'one');
    await git('checkout', '-q', '--detach');
    const tagged = await commit('a.yml', 'tagged');
    await git('tag', 'v1');
    const gone = await commit('a.yml', 'gone');
    await git('checkout', '-q', 'main');
    expect(readFileSync(join((await fetchCode(source(), tagged)).checkout, 'a.yml'), 'utf8')).toBe('tagged');
    expect(readFileSync(join((await fetchCode(source(), gone)).checkout, 'a.yml'), 'utf8')).toBe('gone');
  });

  it('is refused with a message about the missing commits if it is empty', async () => {
    await expect(fetchCode(source({ branch: '' }))).rejects.toThrow(
      'The repository has no commit yet, or its default branch has none',
    );
    await expect(fetchCode(source())).rejects.toThrow('has no branch or tag named main');
  });

  it('can be a shallow clone', async () => {
    await commit('a.yml', 'one');
    const hash = await commit('a.yml', 'two');
    await git('clone', '-q', '--depth=1', `file://${origin}`, join(folder, 'shallow'));
    const change = { url: join(folder, 'shallow') };
    const { checkout, commit: found } = await fetchCode(source(change));
    expect(found?.hash).toBe(hash);
    expect(readFileSync(join(checkout, 'a.yml'), 'utf8')).toBe('two');
    await git('-C', join(folder, 'shallow'), 'commit', '-q', '--allow-empty', '-m', 'three');
    expect((await fetchCode(source(change))).commit?.message).toBe('three');
  });

  it('is fetched by one run at a time', async () => {
    const hash = await commit('a.yml', 'one');
    const all = await Promise.all(Array.from({ length: 6 }, () => fetchCode(source())));
    expect(all.map((one) => one.commit?.hash)).toEqual(Array(6).fill(hash));
  });

  it('can use SHA-256 object names, also after it used SHA-1', async () => {
    const usual = await commit('a.yml', 'one');
    expect((await fetchCode(source())).commit?.hash).toBe(usual);
    for (const [format, length] of [
      ['sha256', 64],
      ['sha1', 40],
    ] as const) {
      rmSync(join(origin, '.git'), { recursive: true });
      await git('init', '-q', `--object-format=${format}`);
      const hash = await commit('a.yml', format);
      expect(hash).toHaveLength(length);
      for (const wanted of [null, hash]) {
        const { checkout, commit: found } = await fetchCode(source(), wanted);
        expect(found?.hash).toBe(hash);
        expect(readFileSync(join(checkout, 'a.yml'), 'utf8')).toBe(format);
      }
    }
  });

  it('can be fetched again after a process was killed during a fetch', async () => {
    await commit('a.yml', 'one');
    await fetchCode(source());
    const mirror = await mirrorOf();
    const [ref] = readdirSync(join(mirror, 'refs', 'signalbox'));
    for (const lock of [`refs/signalbox/${ref}.lock`, 'packed-refs.lock', 'config.lock', 'HEAD.lock'])
      writeFileSync(join(mirror, lock), '');
    const hash = await commit('a.yml', 'two');
    context.mirrors = new GitMirrors(join(folder, 'mirrors'));
    expect((await fetchCode(source())).commit?.hash).toBe(hash);
  });

  it('is packed when many loose objects slow clones down, and not while a run reads it', async () => {
    const first = await commit('a.yml', 'one');
    await git('checkout', '-q', '-b', 'other');
    await commit('b.yml', 'two');
    await git('checkout', '-q', 'main');
    const mirror = await mirrorOf();
    const packs = () => readdirSync(join(mirror, 'objects', 'pack')).filter((name) => name.endsWith('.pack'));
    const hashes = scatter(mirror, 7);
    await context.mirrors.pack(options());
    expect(packs()).toEqual([]);
    hashes.push(...scatter(mirror, 1));
    const wanted = { id: 1, url: origin, branch: 'main', commit: null };
    await context.mirrors.read(wanted, options(), async () => {
      await context.mirrors.pack(options());
      expect(packs()).toEqual([]);
    });
    await context.mirrors.pack(options());
    expect(packs()).toHaveLength(1);
    expect(existsSync(join(mirror, 'objects', '17'))).toBe(false);
    for (const hash of hashes) {
      const end = await runProgram('git', ['-C', mirror, 'cat-file', '-t', hash], { env: base, timeoutMs: 10_000 });
      expect(end.stdout).toBe('blob\n');
    }
    expect((await fetchCode(source())).commit?.hash).toBe(first);
    expect((await fetchCode(source({ branch: 'other' }))).commit?.message).toBe('Write b.yml');
  });

  it.each([
    [{ branch: 'none' }, 'The repository has no branch or tag named none.'],
    [{ url: '/etc' }, 'is outside the folders'],
    [{ url: '/nowhere' }, 'does not exist or is outside'],
    [{ url: 'http://127.0.0.1:1/x.git' }, 'The repository cannot be reached: '],
    [{ url: 'ext::sh -c id' }, 'The address of the repository is not valid.'],
  ])('%j is refused with one message', async (change, message) => {
    await commit('a.yml', 'one');
    await expect(fetchCode(source(change))).rejects.toThrow(message);
  });

  it('refuses a commit that it does not have', async () => {
    await commit('a.yml', 'one');
    await expect(fetchCode(source(), 'a'.repeat(40))).rejects.toThrow('has no commit');
    await expect(fetchCode(source(), 'main')).rejects.toThrow('full hash');
  });

  it.each(['--upload-pack=touch evil', '-x', '--help'])('takes the branch %j as a name', async (branch) => {
    await commit('a.yml', 'one');
    await expect(fetchCode(source({ branch }))).rejects.toThrow('The repository');
    expect(existsSync(join(folder, 'evil'))).toBe(false);
  });

  it('is copied unchanged if it is a plain folder', async () => {
    mkdirSync(join(folder, 'plain'));
    writeFileSync(join(folder, 'plain', 'site.yml'), 'x');
    symlinkSync('/etc/passwd', join(folder, 'plain', 'link'));
    const { checkout, commit: none } = await fetchCode(source({ url: `file://${folder}/plain`, branch: '' }));
    expect(none).toBeUndefined();
    expect(readFileSync(join(checkout, 'site.yml'), 'utf8')).toBe('x');
  });
});

describe('the demo repository', () => {
  it('is created from the files with the same hash each time, and gets a commit when the files change', async () => {
    const [content, repository] = [join(folder, 'demo'), join(folder, 'demo.git')];
    const restart = (): void => {
      context = { ...context, demo: new DemoRepository(content, repository) };
    };
    writeFileSync(join(content, 'ping.yml'), '- hosts: all\n');
    writeFileSync(join(content, 'package.json'), '{}');
    const demo = source({ url: DEMO_REPOSITORY_URL });
    const first = await fetchCode(demo);
    expect(existsSync(join(first.checkout, 'ping.yml'))).toBe(true);
    expect(existsSync(join(first.checkout, 'package.json'))).toBe(false);
    expect((await fetchCode(demo)).commit).toEqual(first.commit);
    rmSync(repository, { recursive: true });
    restart();
    expect((await fetchCode(demo)).commit).toEqual(first.commit);
    writeFileSync(join(content, 'ping.yml'), '- hosts: none\n');
    restart();
    const second = await fetchCode(demo);
    expect(second.commit?.message).toBe('Update the demo playbooks');
    expect((await fetchCode(demo, first.commit?.hash)).commit).toEqual(first.commit);
  });
});

describe('runs that start at the same time', () => {
  it('all find the demo repository, also if the first run is stopped while creating it', async () => {
    writeFileSync(join(folder, 'demo', 'ping.yml'), '- hosts: all\n');
    const demo = source({ url: DEMO_REPOSITORY_URL });
    const stopped = accessRepository(demo, context, WritableFolder.ofRunner(join(folder, 'access')), {
      env: gitEnvironment(base, context.gitConfig),
      signal: AbortSignal.abort(),
    });
    const others = [fetchCode(demo), fetchCode(demo), fetchCode(demo)];
    await expect(stopped).rejects.toThrow();
    const hashes = (await Promise.all(others)).map(({ commit: found }) => found?.hash);
    expect(new Set(hashes).size).toBe(1);
  });
});

describe('addresses', () => {
  it.each([
    ['https://me:pa%40ss@host/x.git', { url: 'https://host/x.git', user: 'me', password: 'pa@ss' }],
    ['https://token@host:8443/x', { url: 'https://host:8443/x', user: 'token', password: '' }],
    ['ssh://git@host:22/x', { url: 'ssh://git@host:22/x', protocol: 'ssh' }],
    ['git@host:group/x.git', { url: 'git@host:group/x.git', protocol: 'ssh', user: 'git' }],
    ['git://host/x', { url: 'git://host/x' }],
  ])('are shown without user info: %s', (url, expected) => {
    expect(parseRepositoryUrl(url, [])).toMatchObject({ type: 'remote', ...expected });
    expect(shownUrl(url)).not.toMatch(/pa%40ss|token@/);
  });

  it.each([
    '--upload-pack=x',
    'ssh://-oProxyCommand=x/y',
    '-oProxyCommand=x:y',
    'git@-oProxyCommand=x:y',
    'ssh://-oProxyCommand=x@host/y',
    'ext::sh -c touch% /tmp/x',
    'fd::17/foo',
    'ftp://host/x',
    'https:///x',
    'a\nb:c',
    'file:///etc',
    '/etc',
    '',
  ])('refuses %j', (url) => {
    expect(() => parseRepositoryUrl(url, ['/srv/none'])).toThrow();
  });
});

describe('access to a repository', () => {
  it('sends a login over http, and leaves no file with it', async () => {
    const seen: (string | undefined)[] = [];
    const web = createServer((request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(request.headers.authorization ? 404 : 401, { 'www-authenticate': 'Basic realm="x"' }).end();
    }).listen(0, '127.0.0.1');
    await once(web, 'listening');
    const { port } = web.address() as { port: number };
    const access = { type: 'login_password' as const, login: "o'neil", password: "pass' $(id)" };
    await expect(fetchCode(source({ url: `http://127.0.0.1:${port}/x.git`, access }))).rejects.toThrow(
      'cannot be reached',
    );
    web.close();
    expect(seen).toContain(`Basic ${Buffer.from(`o'neil:pass' $(id)`).toString('base64')}`);
    expect(existsSync(join(folder, 'access'))).toBe(false);
  });
});

describe('repository queries', () => {
  const ask = (query: RunnerQuery) =>
    queryServiceOf(context, folder, base).answer({
      query_id: 1,
      lease_ms: 30_000,
      query,
    });

  it('are answered from the remote repository', async () => {
    const hash = await commit('a.yml', 'one');
    await git('branch', 'other');
    const found = { ask: 'branches', branches: ['main', 'other'] };
    expect(await ask({ ask: 'branches', repository: source() })).toEqual(found);
    for (const name of ['v1.9', 'v1.10']) await git('tag', name);
    await git('tag', '-a', '-m', 'Release', 'v2');
    const tagged = await ask({ ask: 'branches', repository: source(), tags: true });
    expect(tagged).toEqual({ ...found, tags: ['v2', 'v1.10', 'v1.9'] });
    expect(await ask({ ask: 'newest_commit', repository: source() })).toEqual({ ask: 'newest_commit', commit: hash });
  });

  it('are refused with one message without secrets', async () => {
    const url = 'https://user:hidden-token@127.0.0.1:1/x.git';
    for (const name of ['branches', 'newest_commit'] as const) {
      const answer = await ask({ ask: name, repository: source({ url }) });
      expect(answer).toMatchObject({ ask: 'refused', error: expect.stringContaining('cannot be reached') });
      expect(JSON.stringify(answer)).not.toContain('hidden-token');
    }
  });
});
