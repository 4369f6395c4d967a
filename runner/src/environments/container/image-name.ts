const DOCKER_HUB = 'docker.io';
/** Other names of Docker Hub, whose images are the same. */
const ALIASES: ReadonlySet<string> = new Set(['index.docker.io', 'registry-1.docker.io', 'registry.hub.docker.com']);

/** The registry that an image names; undefined without one. A first part without dot, colon or `localhost` is a folder. */
const namedRegistryOf = (image: string): string | undefined => {
  const [first = ''] = image.split('/', 1);
  return image.includes('/') && (/[.:]/.test(first) || first === 'localhost') ? first : undefined;
};

/** Names of hosts have no case, and a registry has the same images with the port that it has anyway. */
const normalRegistry = (named: string): string => {
  const registry = named.toLowerCase().replace(/:443$/, '');
  return ALIASES.has(registry) ? DOCKER_HUB : registry;
};

/** The registry of an image, which has the same name for all names of Docker Hub. */
export const registryOf = (image: string): string => normalRegistry(namedRegistryOf(image) ?? DOCKER_HUB);

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
  const given = namedRegistryOf(named);
  const path = given === undefined ? named : named.slice(given.length + 1);
  const [folder = '', tag = 'latest'] = path.split(':', 2);
  const isOfficial = registry === DOCKER_HUB && !folder.includes('/');
  const repository = `${registry}/${isOfficial ? 'library/' : ''}${folder}`;
  return { repository, image: `${repository}${digest === undefined ? `:${tag}` : `@${digest}`}` };
};
