import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PreparationError } from '../../errors/preparation-error.ts';
import { requireContainers, type TestContainers } from '../../testing/container/container-image.testing.ts';
import { provideImage, type WantedImage } from './image.ts';
import { ImageAccess } from './image-access.ts';
import { contentFile, contentOf } from './image-content.ts';
import { registryOf } from './image-name.ts';
import { writeLogin } from './registry-login.ts';
import { groupWith, passwdWith } from './user-files.ts';

let folder: string;
let containers: TestContainers;
beforeEach(async () => {
  containers = await requireContainers();
  folder = mkdtempSync(join(tmpdir(), 'signalbox-image-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const lines: string[] = [];
const log = { line: (text: string) => void lines.push(text), write: () => undefined };
const provide = (image: string, pull: WantedImage['pull'], access: WantedImage['access'] = { type: 'none' }) =>
  provideImage(
    containers.engine,
    { image, pull, access },
    {
      ...{ folder, signal: AbortSignal.timeout(60_000), marker: 'test', projectId: 1 },
      ...{ log, opened: new ImageAccess(join(tmpdir(), 'signalbox-no-access')) },
    },
  );
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    (error: PreparationError) => error.endReason.code,
  );

const content = async (runArguments: string[] = [], command = containers.engine.command) => {
  const { id } = await provide(containers.image, 'never');
  const settings = containers.engine.settings;
  const engine = {
    ...containers.engine,
    command,
    settings: { ...settings, runArguments: [...settings.runArguments, ...runArguments] },
  };
  const call = { name: `signalbox-test-${folder.slice(-6)}`, labels: {}, id, user: { uid: 1000, gid: 1000 } };
  const options = { file: contentFile(folder, id), signal: AbortSignal.timeout(60_000), marker: 'test' };
  return { ...(await contentOf(engine, containers.image, call, options)), file: options.file };
};

describe('an image', () => {
  it('is found by its name, with its content, which is kept', async () => {
    const image = await provide(containers.image, 'never');
    expect(image.digest).toMatch(/^sha256:[0-9a-f]{64}$/);
    const { file, ...found } = await content();
    expect(found.ansible).toMatch(/^\d+\.\d+/);
    expect(found.programs).toEqual(expect.arrayContaining(['ansible-playbook', 'ansible-galaxy', 'ssh']));
    expect(found.programs).not.toContain('git');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(found);
    // An engine that starts nothing shows that the image is not asked again.
    expect(await content([], ['/bin/false'])).toEqual({ file, ...found });
  });

  it('with very many users is described by the first of them, in whole lines', async () => {
    const users = join(folder, 'users');
    writeFileSync(users, 'user:x:1:1::/:/bin/sh\n'.repeat(100_000), { mode: 0o644 });
    const { passwd } = await content([`--mount=type=bind,source=${users},target=/etc/passwd,readonly`]);
    expect(passwd.length).toBeGreaterThan(200_000);
    expect(passwd.length).toBeLessThanOrEqual(256 * 1024);
    expect(passwd).toMatch(/\/bin\/sh\n$/);
  });

  it('whose answer is too large or not valid is refused', async () => {
    const engine = join(folder, 'engine');
    const answer = { python: '3', ansible: '', programs: [], passwd: 'x'.repeat(300_000), group: '' };
    writeFileSync(join(folder, 'answer'), JSON.stringify(answer));
    writeFileSync(engine, `#!/bin/sh\ncat '${folder}/answer'\n`, { mode: 0o755 });
    expect(await codeOf(content([], [engine]))).toBe('container.engine_failed');
    writeFileSync(join(folder, 'answer'), JSON.stringify({ ...answer, passwd: '' }));
    expect(await codeOf(content([], [engine]))).toBe('none');
  });

  it.each(['docker-archive:/etc/passwd', 'dir:/etc', 'oci:etc', 'docker-daemon:a:1'])(
    'that is no image of a registry is never opened: %s',
    async (image) => {
      lines.length = 0;
      for (const pull of ['always', 'missing'] as const)
        expect(await codeOf(provide(image, pull))).toBe('container.image_missing');
      expect(lines).toEqual([]);
    },
  );

  it('that is not on the runner and never pulled has its own error', async () => {
    expect(await codeOf(provide('localhost/signalbox-missing:1', 'never'))).toBe('container.image_not_pulled');
  });

  it('of a registry that does not answer has an error with the reason', async () => {
    expect(await codeOf(provide('127.0.0.1:9/signalbox/missing:1', 'always'))).toBe('container.pull_failed');
    expect(lines).toContain('Image: 127.0.0.1:9/signalbox/missing:1 is being pulled');
  });
});

describe('the login of a registry', () => {
  it('is removed after the pull, also if it failed', async () => {
    const access = { type: 'login_password', login: 'robot', password: 'secret' } as const;
    expect(await codeOf(provide('127.0.0.1:9/signalbox/missing:1', 'always', access))).toBe('container.pull_failed');
    expect(existsSync(folder)).toBe(false);
  });

  it('is written for the registry of the image only, readable by the runner only', async () => {
    const access = { type: 'login_password', login: 'robot', password: 'secret' } as const;
    await writeLogin(join(folder, 'login'), 'ghcr.io/team/ansible:2.19', access, {});
    const file = join(folder, 'login', 'config.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const auth = Buffer.from('robot:secret').toString('base64');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ auths: { 'ghcr.io': { auth } } });
  });

  it('keeps the context of docker, which names its service', async () => {
    const access = { type: 'login_password', login: 'robot', password: 'secret' } as const;
    const replaced = join(folder, '.docker');
    mkdirSync(join(replaced, 'contexts', 'meta'), { recursive: true });
    writeFileSync(join(replaced, 'config.json'), JSON.stringify({ currentContext: 'remote', auths: { other: {} } }));
    await writeLogin(join(folder, 'login'), 'ghcr.io/team/ansible', access, { HOME: folder });
    const written = JSON.parse(readFileSync(join(folder, 'login', 'config.json'), 'utf8'));
    expect(written).toMatchObject({ currentContext: 'remote' });
    expect(Object.keys(written.auths)).toEqual(['ghcr.io']);
    expect(readdirSync(join(folder, 'login', 'contexts'))).toEqual(['meta']);
  });

  it('is not written without a key', async () => {
    expect(await writeLogin(folder, 'ghcr.io/team/ansible', { type: 'none' }, {})).toBeUndefined();
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    ['ansible', 'docker.io'],
    ['team/ansible:2.19', 'docker.io'],
    ['localhost/ansible', 'localhost'],
    ['registry:5000/team/ansible', 'registry:5000'],
    ['index.docker.io/acme/app', 'docker.io'],
    ['registry-1.docker.io/acme/app', 'docker.io'],
  ])('of the image %s is for %s', (image, registry) => expect(registryOf(image)).toBe(registry));
});

describe('the users of a container', () => {
  it('contain the user of the run once, before all others', () => {
    const user = { name: 'deploy', uid: 0, gid: 0, home: '/work' };
    expect(passwdWith('root:x:0:0:root:/root:/bin/sh\nbin:x:1:1::/:/bin/false\n', user)).toBe(
      'deploy:x:0:0::/work:/bin/sh\nbin:x:1:1::/:/bin/false\n',
    );
    expect(groupWith('root:x:0:\n', user)).toBe('deploy:x:0:\n');
  });
});
