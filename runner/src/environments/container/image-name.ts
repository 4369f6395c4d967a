const DOCKER_HUB = 'docker.io';

/** The registry of an image. A first part without dot, colon or `localhost` is a folder of Docker Hub. */
export const registryOf = (image: string): string => {
  const [first = ''] = image.split('/', 1);
  return image.includes('/') && (/[.:]/.test(first) || first === 'localhost') ? first : DOCKER_HUB;
};

/** The name of an image in parts that no engine completes or takes for an id. */
export interface FullName {
  /** The registry and the path. */
  readonly repository: string;
  /** The same with its digest, or else its tag. */
  readonly image: string;
}

/**
 * Completes the name of an image as registries do. podman takes a name without registry for any image whose name ends with it, and
 * both engines take hexadecimal digits for the id of an image of any repository.
 */
export const fullNameOf = (image: string): FullName => {
  const registry = registryOf(image);
  const [named = '', digest] = image.split('@', 2);
  const path = named.startsWith(`${registry}/`) ? named.slice(registry.length + 1) : named;
  const [folder = '', tag = 'latest'] = path.split(':', 2);
  const isOfficial = registry === DOCKER_HUB && !folder.includes('/');
  const repository = `${registry}/${isOfficial ? 'library/' : ''}${folder}`;
  return { repository, image: `${repository}${digest === undefined ? `:${tag}` : `@${digest}`}` };
};
