import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Access } from '@signalbox/contract/link';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PreparationError } from '../../errors/preparation-error.ts';
import { requireContainers } from '../../testing/container/container-image.testing.ts';
import { ImageRegistry } from '../../testing/container/image-registry.testing.ts';
import { callEngine, type Engine } from './engine.ts';
import { provideImage, type WantedImage } from './image.ts';
import { ImageAccess } from './image-access.ts';
import { fullNameOf } from './image-name.ts';

let folder: string;
let registry: ImageRegistry;
let engine: Engine;
beforeEach(async () => {
  const containers = await requireContainers();
  folder = mkdtempSync(join(tmpdir(), 'signalbox-private-'));
  registry = await ImageRegistry.start(join(folder, 'registries.conf'));
  engine = {
    ...containers.engine,
    env: { ...containers.engine.env, CONTAINERS_REGISTRIES_CONF: join(folder, 'registries.conf') },
  };
});
afterEach(async () => {
  await callEngine(engine, ['rmi', '--force', registry.image], { timeoutMs: 60_000 });
  await registry.close();
  rmSync(folder, { recursive: true, force: true });
});

const LOGIN: Access = { type: 'login_password', login: 'robot', password: 'secret' };
const NONE: Access = { type: 'none' };

/** Provides the image for a project. @returns `opened`, or the code of the error */
const provide = (projectId: number, access: Access, pull: WantedImage['pull'] = 'missing') =>
  provideImage(
    engine,
    { image: registry.image, pull, access },
    {
      ...{ folder: join(folder, 'login'), signal: AbortSignal.timeout(60_000), marker: 'test', projectId },
      log: { line: () => undefined, write: () => undefined },
      opened: new ImageAccess(join(folder, 'opened')),
    },
  ).then(
    () => 'opened',
    (error: PreparationError) => error.endReason.code,
  );

describe('an image that needs a login', () => {
  it('[S2] is used only by projects to which the registry gave it, also when it is on the runner', async () => {
    expect(await provide(1, LOGIN)).toBe('opened');
    expect(await provide(2, NONE)).toBe('container.login_refused');
    expect(await provide(2, { ...LOGIN, password: 'wrong' })).toBe('container.login_refused');
    expect(await provide(2, NONE, 'never')).toBe('container.image_not_opened');
    expect(await provide(2, LOGIN, 'never')).toBe('container.image_not_opened');
    expect(await provide(2, LOGIN)).toBe('opened');
    expect(await provide(2, LOGIN, 'never')).toBe('opened');
  });

  it('is not pulled again for a project that has opened it', async () => {
    expect(await provide(1, LOGIN)).toBe('opened');
    const { pulls } = registry;
    registry.password = 'changed';
    expect(await provide(1, NONE, 'missing')).toBe('opened');
    expect(registry.pulls).toBe(pulls);
    expect(await provide(1, LOGIN, 'always')).toBe('container.login_refused');
  });

  it('is noted in files that only the runner reads', async () => {
    await provide(1, LOGIN);
    const files = readdirSync(join(folder, 'opened'));
    expect(files).toHaveLength(1);
    for (const file of files) expect(statSync(join(folder, 'opened', file)).mode & 0o777).toBe(0o600);
  });

  it('was open to all before a login was used, and stays open', async () => {
    expect(await provide(1, LOGIN)).toBe('opened');
    // As if an administrator had pulled it.
    rmSync(join(folder, 'opened'), { recursive: true });
    expect(await provide(2, NONE, 'never')).toBe('opened');
    expect(await provide(1, LOGIN, 'always')).toBe('opened');
    expect(await provide(2, NONE, 'never')).toBe('opened');
  });
});

describe('the full name of an image', () => {
  it.each([
    ['abc', 'docker.io/library/abc:latest'],
    ['team/ansible', 'docker.io/team/ansible:latest'],
    ['docker.io/ansible:1', 'docker.io/library/ansible:1'],
    ['localhost/ansible', 'localhost/ansible:latest'],
    ['registry:5000/team/ansible:2.19', 'registry:5000/team/ansible:2.19'],
    ['ghcr.io/team/ansible:2@sha256:0123', 'ghcr.io/team/ansible@sha256:0123'],
    ['index.docker.io/acme/app', 'docker.io/acme/app:latest'],
    ['registry-1.docker.io/acme/app:2', 'docker.io/acme/app:2'],
    ['Docker.IO/library/debian', 'docker.io/library/debian:latest'],
    ['index.docker.io/debian', 'docker.io/library/debian:latest'],
    ['registry.example.org:443/app:1', 'registry.example.org/app:1'],
    ['registry.example.org:5000/app:1', 'registry.example.org:5000/app:1'],
  ])('%s is %s', (name, full) => expect(fullNameOf(name).image).toBe(full));
});
