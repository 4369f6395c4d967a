import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PreparationError } from '../../errors/preparation-error.ts';
import { requireContainers, type TestContainers } from '../../testing/container/container-image.testing.ts';
import { provideImage, type WantedImage } from './image.ts';
import { contentOf } from './image-content.ts';
import { registryOf, writeLogin } from './registry-login.ts';
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
const provide = (image: string, pull: WantedImage['pull']) =>
  provideImage(
    containers.engine,
    { image, pull, access: { type: 'none' } },
    { folder, signal: AbortSignal.timeout(60_000), log },
  );
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    (error: PreparationError) => error.endReason.code,
  );

describe('an image', () => {
  it('is found by its name, with its content, which is kept', async () => {
    const image = await provide(containers.image, 'never');
    expect(image.digest).toMatch(/^sha256:[0-9a-f]{64}$/);
    const file = join(folder, 'content.json');
    const call = {
      name: `signalbox-test-${folder.slice(-6)}`,
      labels: {},
      id: image.id,
      user: { uid: 1000, gid: 1000 },
    };
    const options = { file, signal: AbortSignal.timeout(60_000) };
    const content = await contentOf(containers.engine, containers.image, call, options);
    expect(content.ansible).toMatch(/^\d+\.\d+/);
    expect(content.programs).toEqual(expect.arrayContaining(['ansible-playbook', 'ansible-galaxy', 'ssh']));
    expect(content.programs).not.toContain('git');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(content);
  });

  it('that is not on the runner and never pulled has its own error', async () => {
    expect(await codeOf(provide('localhost/signalbox-missing:1', 'never'))).toBe('container.image_not_pulled');
  });

  it('of a registry that does not answer has an error with the reason', async () => {
    expect(await codeOf(provide('127.0.0.1:9/signalbox/missing:1', 'always'))).toBe('container.pull_failed');
    expect(lines).toContain('Image: 127.0.0.1:9/signalbox/missing:1 is being pulled');
  });
});

describe('the login of a registry', () => {
  it('is written for the registry of the image only, readable by the runner only', async () => {
    const access = { type: 'login_password', login: 'robot', password: 'secret' } as const;
    await writeLogin(join(folder, 'login'), 'ghcr.io/team/ansible:2.19', access);
    const file = join(folder, 'login', 'config.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const auth = Buffer.from('robot:secret').toString('base64');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ auths: { 'ghcr.io': { auth } } });
  });

  it('is not written without a key', async () => {
    expect(await writeLogin(folder, 'ghcr.io/team/ansible', { type: 'none' })).toBeUndefined();
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    ['ansible', 'docker.io'],
    ['team/ansible:2.19', 'docker.io'],
    ['localhost/ansible', 'localhost'],
    ['registry:5000/team/ansible', 'registry:5000'],
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
