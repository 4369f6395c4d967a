import { rm } from 'node:fs/promises';
import { type Access, ImageName } from '@signalbox/contract/link';
import { z } from 'zod';
import { PreparationError, shortened } from '../../errors/preparation-error.ts';
import { callEngine, type Engine, type EngineName } from './engine.ts';
import type { ImageAccess } from './image-access.ts';
import { type FullName, fullNameOf, registryOf } from './image-name.ts';
import { writeLogin } from './registry-login.ts';

const INSPECT_MS = 60_000;
const PULL_MS = 30 * 60_000;
const MAX_DETAIL = 300;

export interface WantedImage {
  readonly image: string;
  readonly pull: 'missing' | 'always' | 'never';
  /** The login of the registry. */
  readonly access: Access;
}

export interface Image {
  readonly id: string;
  /** `sha256:…` of the registry; of the image itself if it came from no registry. */
  readonly digest: string;
}

export interface ImageOptions {
  /** A folder for the login, which only the runner can read. */
  readonly folder: string;
  readonly signal: AbortSignal;
  /** The marker of the run. */
  readonly marker: string;
  readonly log: { line(text: string): void; write(chunk: Buffer): void };
  readonly projectId: number;
  /** Which projects may use images that need a login. */
  readonly opened: ImageAccess;
}

const Inspected = z
  .tuple([z.object({ Id: z.string(), Digest: z.string().optional(), RepoDigests: z.array(z.string()).nullish() })])
  .transform(([{ Id, Digest, RepoDigests }]): Image => {
    const id = Id.startsWith('sha256:') ? Id : `sha256:${Id}`;
    return { id, digest: Digest || (RepoDigests?.[0]?.split('@')[1] ?? id) };
  });

const inspect = async (engine: Engine, image: string, signal: AbortSignal): Promise<Image | undefined> => {
  const end = await callEngine(engine, ['image', 'inspect', image], { timeoutMs: INSPECT_MS, signal });
  if (end.code === 0) return Inspected.parse(JSON.parse(end.stdout));
  signal.throwIfAborted();
  if (/no such (?:image|object)|image not known|not found/i.test(end.stderr)) return undefined;
  throw engineFailed(engine, end.stderr);
};

/** The ids of the images of a repository that are on the runner. */
const idsOf = async (engine: Engine, repository: string, signal: AbortSignal): Promise<string[]> => {
  const args = ['images', '--no-trunc', '--quiet', repository];
  const end = await callEngine(engine, args, { timeoutMs: INSPECT_MS, signal });
  signal.throwIfAborted();
  if (end.code !== 0) throw engineFailed(engine, end.stderr);
  return end.stdout.split('\n').filter((id) => id !== '');
};

/** The last line that an engine printed, without what it prints before a message. */
export const engineDetail = (text: string): string => {
  const row = text.trim().split('\n').at(-1) ?? '';
  return shortened(row.replace(/^(?:Error: |Error response from daemon: )+/, ''), MAX_DETAIL).replace(/\.$/, '');
};

export const engineFailed = ({ name }: Engine, stderr: string): PreparationError => {
  const detail = engineDetail(stderr);
  return new PreparationError('preparation', `${name} cannot start containers: ${detail}.`, {
    code: 'container.engine_failed',
    params: { engine: name, detail },
  });
};

const missing = (image: string): PreparationError =>
  new PreparationError('preparation', `The container image ${image} does not exist.`, {
    code: 'container.image_missing',
    params: { image },
  });

const REFUSED = /unauthorized|authentication required|access denied|denied: |invalid username\/password|forbidden/i;
const UNKNOWN = /manifest unknown|name unknown|no such image|repository .* not found|not found: manifest/i;

const pullError = (image: string, printed: string, isTimeout: boolean): PreparationError => {
  const registry = registryOf(image);
  if (REFUSED.test(printed))
    return new PreparationError('preparation', `The registry ${registry} refused access to the image ${image}.`, {
      code: 'container.login_refused',
      params: { image, registry },
    });
  if (UNKNOWN.test(printed)) return missing(image);
  const detail = isTimeout ? 'it took too long' : engineDetail(printed);
  return new PreparationError('preparation', `The container image ${image} could not be pulled: ${detail}.`, {
    code: 'container.pull_failed',
    params: { image, detail },
  });
};

/** What an engine calls an image of a registry. Without `docker://`, podman could take the name for that of a file. */
const IN_REGISTRY: { readonly [Name in EngineName]: string } = { podman: 'docker://', docker: '' };

const pull = async (
  engine: Engine,
  { image: full }: FullName,
  { image, access }: WantedImage,
  options: ImageOptions,
): Promise<void> => {
  const { folder, signal, marker, log } = options;
  log.line(`Image: ${image} is being pulled`);
  try {
    const login = (await writeLogin(folder, image, access, engine.env))?.[engine.name];
    const args = [...(login?.global ?? []), 'pull', ...(login?.pull ?? []), `${IN_REGISTRY[engine.name]}${full}`];
    const end = await callEngine(engine, args, {
      ...{ timeoutMs: PULL_MS, signal, marker },
      onOutput: (chunk) => log.write(chunk),
    });
    if (end.code === 0) return;
    signal.throwIfAborted();
    throw pullError(image, end.stderr, end.error === 'timeout');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

const notPulled = (image: string): PreparationError =>
  new PreparationError('preparation', `The container image ${image} is not on the runner, and it is never pulled.`, {
    code: 'container.image_not_pulled',
    params: { image },
  });

/** The image is on the runner, but only projects whose key opened it may use it without asking the registry. */
const notOpened = (image: string): PreparationError =>
  new PreparationError(
    'preparation',
    `The container image ${image} needs a login, and this project has not pulled it on this runner.`,
    { code: 'container.image_not_opened', params: { image } },
  );

/**
 * Makes sure that an image is on the runner, and that the project may use it.
 * @throws PreparationError
 */
export const provideImage = async (engine: Engine, wanted: WantedImage, options: ImageOptions): Promise<Image> => {
  const { projectId, opened, signal } = options;
  // The server checks names too. podman would open a file of the runner for docker-archive:/path.
  if (!ImageName.safeParse(wanted.image).success) throw missing(wanted.image);
  const name = fullNameOf(wanted.image);
  const { repository } = name;
  const present = await inspect(engine, name.image, signal);
  if (wanted.pull !== 'always' && present && (await opened.mayUse(repository, present.id, projectId))) return present;
  if (wanted.pull === 'never') throw present ? notOpened(wanted.image) : notPulled(wanted.image);
  // Before the pull, because another run can find the image before this one knows its id.
  if (wanted.access.type !== 'none') {
    const ids = async () => [...(await idsOf(engine, repository, signal)), ...(present ? [present.id] : [])];
    await opened.restrict(repository, ids, signal);
  }
  await pull(engine, name, wanted, options);
  const pulled = await inspect(engine, name.image, signal);
  if (pulled === undefined) throw missing(wanted.image);
  await opened.allow(repository, pulled.id, projectId, signal);
  return pulled;
};
