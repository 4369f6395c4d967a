import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Access } from '@signalbox/contract/link';
import type { EngineName } from './engine.ts';

const DOCKER_HUB = 'docker.io';
/** The name of Docker Hub in files of docker. */
const DOCKER_HUB_KEY = 'https://index.docker.io/v1/';

/** The registry of an image. A first part without dot, colon or `localhost` is a folder of Docker Hub. */
export const registryOf = (image: string): string => {
  const [first = ''] = image.split('/', 1);
  return image.includes('/') && (/[.:]/.test(first) || first === 'localhost') ? first : DOCKER_HUB;
};

/**
 * Writes the login of a registry into a file of mode 0600, as podman and docker read it.
 * @returns the arguments for podman, and the folder that is the configuration of docker; undefined without a login
 */
export const writeLogin = async (
  folder: string,
  image: string,
  access: Access,
): Promise<{ [Name in EngineName]: { global: string[]; pull: string[] } } | undefined> => {
  if (access.type !== 'login_password') return undefined;
  const registry = registryOf(image);
  const auth = Buffer.from(`${access.login}:${access.password}`).toString('base64');
  const names = registry === DOCKER_HUB ? [DOCKER_HUB, DOCKER_HUB_KEY] : [registry];
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, 'config.json');
  await writeFile(file, JSON.stringify({ auths: Object.fromEntries(names.map((name) => [name, { auth }])) }), {
    mode: 0o600,
  });
  return { podman: { global: [], pull: [`--authfile=${file}`] }, docker: { global: ['--config', folder], pull: [] } };
};
