import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { ContainerEnvironment } from '@signalbox/contract';
import { PreparationError } from '../../errors/preparation-error.ts';
import type { EnvironmentKindOf, EnvironmentRequest } from '../environment.ts';
import { type ContainerSettings, type Engine, findEngine } from './engine.ts';
import { checkEngine } from './engine-check.ts';
import { provideImage } from './image.ts';
import { ImageAccess } from './image-access.ts';
import { contentFile, contentOf } from './image-content.ts';
import { programMissing, readyContainer, userOf } from './ready-container.ts';
import { RUN_LABEL, RUNNER_LABEL } from './run-arguments.ts';

type Request = EnvironmentRequest<ContainerEnvironment>;

const engineMissing = () =>
  new PreparationError('preparation', 'The runner has no podman or docker that works.', {
    code: 'container.engine_missing',
    params: {},
  });

const checkNetwork = ({ network }: ContainerEnvironment, { networks }: ContainerSettings): void => {
  if (networks.includes(network)) return;
  const allowed = networks.join(', ');
  throw new PreparationError('preparation', `The runner does not allow containers with the network ${network}.`, {
    code: 'container.network_refused',
    params: { network, allowed },
  });
};

export interface ContainerSetup {
  readonly settings: ContainerSettings;
  /** The data folder of the runner. */
  readonly data: string;
  readonly base: Readonly<Record<string, string>>;
}

interface ContainerKind extends EnvironmentKindOf<ContainerEnvironment> {
  /** The value of the label of all containers of this runner. */
  readonly label: string;
  /** The folder of what is known of images. */
  readonly images: string;
  /** The engine of this runner; undefined if there is none. */
  readonly engine: () => Promise<Engine | undefined>;
}

/** Runs each program in a container of an image. */
export const makeContainer = (setup: ContainerSetup): ContainerKind => {
  const { settings, data, base } = setup;
  const label = createHash('sha256').update(data).digest('hex').slice(0, 8);
  const images = join(data, 'images');
  // Not a cache: without its file, an image is open to every project.
  const opened = new ImageAccess(join(data, 'opened-images'));
  let engine: Engine | undefined;
  /** The version of the engine that has started a container. */
  let working: string | undefined;
  const currentEngine = async (): Promise<Engine | undefined> => {
    engine ??= await findEngine(settings, base);
    return engine;
  };

  const prepare = async (request: Request): ReturnType<EnvironmentKindOf<ContainerEnvironment>['prepare']> => {
    const { environment, signal, log, marker, containerFolder } = request;
    const found = await currentEngine();
    if (found === undefined) throw engineMissing();
    const { image, pull } = environment;
    const provided = await provideImage(
      found,
      { image, pull, access: request.registryAccess },
      { folder: join(containerFolder, 'login'), signal, marker, log, projectId: request.projectId, opened },
    );
    log.line(`Image: ${image} (${provided.digest})`);
    await request.recordVersions({ image_digest: provided.digest });
    const labels = { [RUNNER_LABEL]: label, [RUN_LABEL]: marker };
    const call = { name: `signalbox-${marker}-image`, labels, id: provided.id, user: userOf(undefined) };
    const content = await contentOf(found, image, call, { file: contentFile(images, provided.id), signal, marker });
    if (!content.programs.includes(request.program.name)) throw programMissing(image, request.program.name);
    log.line(`In the image: ansible-core ${content.ansible || 'of an unknown version'}, Python ${content.python}`);
    request.done('Container image prepared');
    return async (workspace) => readyContainer({ engine: found, request, workspace, image: provided, content, labels });
  };

  return {
    label,
    images,
    engine: currentEngine,
    cache: {
      folder: images,
      what: 'what is known of the image',
      isStaging: (name) => !name.endsWith('.json'),
      exclusively: (_, work) => work(),
    },
    detect: async () => {
      engine = await findEngine(settings, base);
      if (engine === undefined) return undefined;
      const { name: program, version } = engine;
      // A container is started each minute only until one works.
      const error = working === version ? undefined : await checkEngine(engine, label);
      if (error === undefined) working = version;
      return { program, version, ...(error === undefined ? {} : { error }) };
    },
    check: ({ environment }) => checkNetwork(environment, settings),
    prepare,
  };
};
