import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Access } from '@signalbox/contract/link';
import { afterEach, describe, expect, it } from 'vitest';
import type { AnsibleJob } from '../apps/ansible/ansible-job.ts';
import { makeRepository } from '../testing/git-repository.testing.ts';
import { type GitWebServer, startGitWebServer } from '../testing/git-web-server.testing.ts';
import { HELLO, openHarness, play } from '../testing/playbooks.testing.ts';
import type { RunnerHarness } from '../testing/runner-harness.testing.ts';

let harness: RunnerHarness;
const servers: GitWebServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
  await harness.close();
});

const LOGIN = { user: "o'neil@work", password: "p@ss: $(id) 'x'" };
const ACCESS: Access = { type: 'login_password', login: LOGIN.user, password: LOGIN.password };
const serve = async (root: string, login?: typeof LOGIN) => {
  const server = await startGitWebServer(root, login);
  servers.push(server);
  return server;
};
let next = 0;
const end = async (url: string, access: Access = { type: 'none' }, more: Partial<AnsibleJob> = {}) => {
  const id = ++next;
  const run = harness.server.sendJob(harness.job(id, { repository: { id: 7, url, branch: 'main', access }, ...more }));
  await harness.server.until(() => run.ended, 'the end', 60_000);
  return { ...run, text: run.lines.join('\n') };
};
const open = async (settings: Record<string, string> = {}) => {
  await harness.startRunner(settings);
  await harness.server.message('hello');
};
const SHOW = (file: string) => play(`- ansible.builtin.debug: {msg: "found {{ lookup('file', '${file}') }}"}`);

describe('a repository over https', () => {
  it('[S5] is fetched with a login and a password, which are stored nowhere', async () => {
    harness = await openHarness();
    await makeRepository(join(harness.folder, 'web', 'plays'), { 'site.yml': HELLO });
    const server = await serve(join(harness.folder, 'web'), LOGIN);
    await open({ SSL_CERT_FILE: server.authority });
    const run = await end(`${server.origin}/plays/.git`, ACCESS);
    expect(run.ended?.result, run.text).toBe('success');
    expect(run.text).toMatch(/^Commit: [0-9a-f]{40} First$/m);
    expect(JSON.stringify(harness.server.messages)).not.toContain(LOGIN.password);
    for (const [access, message] of [
      [{ ...ACCESS, password: 'wrong-one' }, / does not accept the login and password of the key\.$/],
      [{ type: 'none' }, / asks for a login and a password, and the repository has no key with them\.$/],
    ] as const) {
      const refused = await end(`${server.origin}/plays/.git`, access);
      expect(refused.lines.at(-1)).toMatch(/^The repository cannot be reached: /);
      expect(refused.lines.at(-1)).toMatch(message);
    }
  });

  it('is refused with one message if its certificate is not trusted', async () => {
    harness = await openHarness();
    const server = await serve(harness.folder);
    await open();
    const run = await end(`${server.origin}/plays/.git`);
    expect(run.lines.at(-1)).toBe(
      `The repository cannot be reached: the certificate of ${server.origin}/plays/.git/ is not trusted: add its authority to the machine, or name a file with it in SSL_CERT_FILE.`,
    );
  });

  it('[S3] does not send its password to another server that a submodule names', async () => {
    harness = await openHarness();
    const root = join(harness.folder, 'web');
    const part = await makeRepository(join(root, 'part'), { 'a.txt': 'a' });
    const plays = await makeRepository(join(root, 'plays'), { 'site.yml': HELLO });
    const [own, other] = [await serve(root, LOGIN), await serve(root, LOGIN)];
    await plays.git('submodule', '--quiet', 'add', part.path, 'part');
    await plays.git('config', '--file', '.gitmodules', 'submodule.part.url', `${other.origin}/part/.git`);
    await plays.commit({}, 'Name another server');
    const both = join(harness.folder, 'both.pem');
    writeFileSync(both, readFileSync(own.authority, 'utf8') + readFileSync(other.authority, 'utf8'));
    await open({ SSL_CERT_FILE: both });
    const run = await end(`${own.origin}/plays/.git`, ACCESS);
    expect(run.lines.at(-1)).toMatch(/^The submodules cannot be fetched: .* has no key with them\.$/);
    expect(own.logins.size).toBe(1);
    expect(other.logins.size).toBe(0);
    await plays.git('config', '--file', '.gitmodules', 'submodule.part.url', '../../part/.git');
    await plays.commit({}, 'Name the same server');
    const good = await end(`${own.origin}/plays/.git`, ACCESS);
    expect(good.ended?.result, good.text).toBe('success');
  });
});

describe('submodules', () => {
  it('are fetched with their own submodules, from the address that each repository names', async () => {
    harness = await openHarness();
    const at = (name: string) => join(harness.folder, name);
    const leaf = await makeRepository(at('leaf'), { 'leaf.txt': 'the leaf' });
    const branch = await makeRepository(at('branch'), { 'branch.txt': 'the branch' });
    await branch.git('submodule', '--quiet', 'add', leaf.path, 'leaf');
    await branch.git('config', '--file', '.gitmodules', 'submodule.leaf.url', '../leaf');
    await branch.commit({}, 'Add the leaf');
    const tree = await makeRepository(at('tree'), { 'site.yml': SHOW('parts/branch/leaf/leaf.txt') });
    await tree.git('submodule', '--quiet', 'add', branch.path, 'parts/branch');
    await tree.commit({}, 'Add the branch');
    await open();
    const run = await end(tree.path);
    expect(run.ended?.result, run.text).toBe('success');
    expect(run.text).toContain('found the leaf');
    expect(run.lines.filter((line) => /^Submodules fetched in \d+\.\d s\.$/.test(line))).toHaveLength(1);
  });

  it('[S7] are fetched over HTTPS for a local repository, but their own submodules must not be on this machine', async () => {
    harness = await openHarness();
    const own = await makeRepository(join(harness.folder, 'own'), { 'secret.txt': 'hidden text' });
    const part = await makeRepository(join(harness.folder, 'web', 'part'), { 'part.txt': 'the part' });
    const web = await serve(join(harness.folder, 'web'));
    const plays = await makeRepository(join(harness.folder, 'plays'), { 'site.yml': SHOW('part/part.txt') });
    await plays.git('submodule', '--quiet', 'add', part.path, 'part');
    await plays.git('config', '--file', '.gitmodules', 'submodule.part.url', `${web.origin}/part/.git`);
    await plays.commit({}, 'Name the part');
    await open({ SSL_CERT_FILE: web.authority });
    const run = await end(plays.path);
    expect(run.ended?.result, run.text).toBe('success');
    expect(run.text).toContain('found the part');
    await part.git('submodule', '--quiet', 'add', own.path, 'own');
    const commit = await part.commit({}, 'Name one of the machine');
    await plays.git('update-index', '--cacheinfo', `160000,${commit},part`);
    await plays.git('commit', '-qm', 'Take the new part');
    expect((await end(plays.path)).lines.at(-1)).toMatch(
      /^The submodule .*own is refused: a repository on another machine must not name a repository on this machine\.$/,
    );
  });

  it('[S7] are refused if they name a repository on this machine that their own repository must not read', async () => {
    harness = await openHarness();
    const hidden = await makeRepository(join(harness.folder, 'hidden'), { 'secret.txt': 'hidden text' });
    mkdirSync(join(harness.folder, 'open'));
    const own = await makeRepository(join(harness.folder, 'open', 'own'), { 'secret.txt': 'hidden text' });
    const plays = await makeRepository(join(harness.folder, 'open', 'plays'), { 'site.yml': SHOW('part/secret.txt') });
    await plays.git('submodule', '--quiet', 'add', hidden.path, 'part');
    await plays.commit({}, 'Name a repository outside the roots');
    const web = await serve(join(harness.folder, 'open'));
    await open({ SIGNALBOX_LOCAL_REPOSITORY_ROOTS: join(harness.folder, 'open'), SSL_CERT_FILE: web.authority });
    const outside = / is refused: The local repository .* is outside the folders/;
    const first = await end(plays.path);
    expect(first.lines.at(-1)).toMatch(outside);
    expect(first.ended?.end_reason).toEqual({
      code: 'git.submodule_refused',
      params: { repository: plays.path, address: hidden.path },
    });
    expect((await end(`${web.origin}/plays/.git`)).lines.at(-1)).toMatch(outside);
    await plays.git('config', '--file', '.gitmodules', 'submodule.part.url', own.path);
    await plays.commit({}, 'Name a local repository');
    expect((await end(`${web.origin}/plays/.git`)).lines.at(-1)).toMatch(
      /^The submodule .*own is refused: a repository on another machine must not name a repository on this machine\.$/,
    );
    expect(JSON.stringify(harness.server.messages)).not.toContain('hidden text');
  });
});

describe('files in Git LFS', () => {
  const MEDIA = 'a large media file\n';

  it('replace their pointers, and each file is fetched once', async () => {
    harness = await openHarness();
    const plays = await makeRepository(join(harness.folder, 'plays'), {
      'site.yml': SHOW('media/clip.bin'),
      'media/.gitattributes': '*.bin filter=lfs diff=lfs merge=lfs -text\n',
    });
    const filter = ['clean=git-lfs clean -- %f', 'smudge=git-lfs smudge -- %f', 'required=true'];
    for (const setting of filter) {
      const [name = '', value = ''] = setting.split(/=(.*)/s);
      await plays.git('config', `filter.lfs.${name}`, value);
    }
    await plays.commit({ 'media/clip.bin': MEDIA });
    expect(await plays.git('show', 'HEAD:media/clip.bin')).toContain('version https://git-lfs.github.com/spec/v1');
    await open();
    for (const _ of [1, 2]) {
      const run = await end(plays.path);
      expect(run.ended?.result, run.text).toBe('success');
      expect(run.text).toContain('found a large media file');
      expect(run.lines.filter((line) => /^Files in Git LFS fetched in \d+\.\d s\.$/.test(line))).toHaveLength(1);
    }
    await plays.commit({ '.lfsconfig': '[lfs]\n\turl = file:///etc\n' });
    expect((await end(plays.path)).lines.at(-1)).toMatch(
      /^The address of files in Git LFS file:\/\/\/etc is refused: The local repository .* is outside the folders/,
    );
    const [mirror = ''] = readdirSync(join(harness.data, 'mirrors'));
    const kept = readdirSync(join(harness.data, 'mirrors', mirror, 'lfs', 'objects'), {
      recursive: true,
      withFileTypes: true,
    });
    expect(kept.filter((entry) => entry.isFile())).toHaveLength(1);
  });

  it('[S7] are not searched behind a link, whose target might never end', async () => {
    harness = await openHarness();
    const plays = await makeRepository(join(harness.folder, 'plays'), { 'site.yml': HELLO });
    symlinkSync('/dev/zero', join(plays.path, '.gitattributes'));
    await plays.commit({ 'more.yml': HELLO });
    await open();
    const run = await end(plays.path);
    expect(run.ended?.result, run.text).toBe('success');
  });

  it('[S7] are not fetched from an address in a file outside the repository', async () => {
    harness = await openHarness();
    const plays = await makeRepository(join(harness.folder, 'plays'), {
      'site.yml': HELLO,
      '.gitattributes': '*.bin filter=lfs diff=lfs merge=lfs -text\n',
    });
    writeFileSync(join(harness.folder, 'outside'), '[lfs]\n\turl = https://127.0.0.1:1/hidden\n');
    symlinkSync(join(harness.folder, 'outside'), join(plays.path, '.lfsconfig'));
    await plays.commit({});
    await open();
    const run = await end(plays.path);
    expect(run.lines.at(-1)).toBe('The configuration .lfsconfig is outside the repository.');
    expect(run.text).not.toContain('hidden');
  });

  it('are not fetched if git-lfs is missing, and the log contains a warning', async () => {
    harness = await openHarness();
    const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 3\n';
    const plays = await makeRepository(join(harness.folder, 'plays'), {
      'site.yml': SHOW('clip.bin'),
      'clip.bin': pointer,
    });
    await plays.commit({ '.gitattributes': '*.bin filter=lfs diff=lfs merge=lfs -text\n' });
    const bin = join(harness.folder, 'bin');
    mkdirSync(bin);
    for (const name of ['git', 'ansible-playbook', 'ansible', 'python3', 'sh']) {
      symlinkSync(`/usr/bin/${name}`, join(bin, name));
    }
    await open({ PATH: bin });
    const run = await end(plays.path);
    expect(run.ended?.result, run.text).toBe('success');
    expect(run.lines).toContain(
      'The repository keeps files in Git LFS, and git-lfs is not installed on the runner: their pointers are not replaced.',
    );
    expect(run.text).toContain('oid sha256:00');
    expect(existsSync(join(harness.data, 'mirrors'))).toBe(true);
    expect(readFileSync(join(plays.path, 'clip.bin'), 'utf8')).toBe(pointer);
  });
});

describe('the revision of a repository to run', () => {
  it('can be a branch, a tag, or one commit', async () => {
    harness = await openHarness();
    const plays = await makeRepository(join(harness.folder, 'plays'), { 'site.yml': SHOW('a.txt'), 'a.txt': 'one' });
    const first = await plays.git('rev-parse', 'HEAD');
    await plays.git('tag', '-a', 'v1', '-m', 'v1');
    await plays.commit({ 'a.txt': 'two' });
    await plays.git('branch', 'later/two');
    await plays.commit({ 'a.txt': 'three' });
    await open();
    const of = (branch: string, commit: string | null = null) =>
      end(
        plays.path,
        { type: 'none' },
        { commit, repository: { id: 7, url: plays.path, branch, access: { type: 'none' } } },
      );
    expect((await of('main')).text).toContain('found three');
    expect((await of('later/two')).text).toContain('found two');
    expect((await of('v1')).text).toContain('found one');
    const pinned = await of('main', first);
    expect(pinned.text).toContain('found one');
    expect(pinned.commit).toMatchObject({ commit_hash: first, commit_message: 'First' });
  });
});
