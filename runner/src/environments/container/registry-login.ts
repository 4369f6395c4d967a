import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Access } from '@signalbox/contract/link';
import { z } from 'zod';
import type { EngineName } from './engine.ts';
import { registryOf } from './image-name.ts';

type Env = Readonly<Record<string, string>>;

const DOCKER_HUB = 'docker.io';
/** The name of Docker Hub in files of docker. */
const DOCKER_HUB_KEY = 'https://index.docker.io/v1/';

const DockerConfig = z.object({ currentContext: z.string().optional() });

/**
 * Makes a folder name the same service as the configuration of docker that it replaces: docker keeps its contexts there.
 * @returns the settings for its file
 */
const withContexts = async (folder: string, { DOCKER_CONFIG, HOME }: Env): Promise<z.infer<typeof DockerConfig>> => {
  if (DOCKER_CONFIG === undefined && HOME === undefined) return {};
  const replaced = resolve(DOCKER_CONFIG ?? join(HOME ?? '/', '.docker'));
  await symlink(join(replaced, 'contexts'), join(folder, 'contexts'));
  try {
    return DockerConfig.parse(JSON.parse(await readFile(join(replaced, 'config.json'), 'utf8')));
  } catch {
    // docker itself reports a damaged file, and needs none.
    return {};
  }
};

/**
 * Writes the login of a registry into a file of mode 0600, as podman and docker read it.
 * @param env the environment of the engine
 * @returns the arguments for podman, and the folder that is the configuration of docker; undefined without a login
 */
export const writeLogin = async (
  folder: string,
  image: string,
  access: Access,
  env: Env,
): Promise<{ [Name in EngineName]: { global: string[]; pull: string[] } } | undefined> => {
  if (access.type !== 'login_password') return undefined;
  const registry = registryOf(image);
  const auth = Buffer.from(`${access.login}:${access.password}`).toString('base64');
  const names = registry === DOCKER_HUB ? [DOCKER_HUB, DOCKER_HUB_KEY] : [registry];
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const context = await withContexts(folder, env);
  const file = join(folder, 'config.json');
  await writeFile(
    file,
    JSON.stringify({ ...context, auths: Object.fromEntries(names.map((name) => [name, { auth }])) }),
    {
      mode: 0o600,
    },
  );
  return { podman: { global: [], pull: [`--authfile=${file}`] }, docker: { global: ['--config', folder], pull: [] } };
};
