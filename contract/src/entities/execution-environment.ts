import { z } from 'zod';
import { Id, text } from '../fields.ts';
import { fieldError, fieldIssue } from '../messages/field-errors.ts';
import { wrongRequirement } from '../python-requirement.ts';
import { needs } from '../rules.ts';
import { CheckoutPath } from './resources.ts';

/** Maximum number of characters of requirements that are no file of the repository. */
const MAX_REQUIREMENTS = 10_000;

const SystemEnvironment = z.object({
  kind: z.literal('system').describe('The programs that are installed on the runner.'),
});

const VirtualEnvironment = z
  .object({
    kind: z.literal('virtual').describe('A Python virtual environment, which the runner builds from requirements.'),
    requirements: text(MAX_REQUIREMENTS)
      .default('')
      .describe(
        'Python requirements as in a `requirements.txt`, such as `ansible-core==2.19.1`. Empty if `requirements_file` is set.',
      ),
    requirements_file: z
      .union([z.literal(''), CheckoutPath])
      .default('')
      .describe('Path of a file with Python requirements in the repository, in addition to `requirements`; or empty.'),
  })
  .refine(({ requirements, requirements_file }) => requirements.trim() !== '' || requirements_file !== '', {
    path: ['requirements'],
    ...fieldError('field.required'),
  })
  .superRefine(({ requirements }, { addIssue }) => {
    const requirement = wrongRequirement(requirements);
    if (requirement !== undefined)
      addIssue({ ...fieldIssue('field.python_requirement', { requirement }), path: ['requirements'] });
  })
  .meta({
    openapiRules: [
      {
        anyOf: [
          needs({ requirements: { type: 'string', pattern: '\\S', description: 'Python requirements.' } }),
          needs({
            requirements_file: { type: 'string', minLength: 1, description: 'Path of a file with requirements.' },
          }),
        ],
      },
    ],
  });

/** Minimum memory of a container in MB: less is too little for Ansible. */
const MIN_MEMORY_MB = 64;

/** Sources of images that are files or stores of the runner. podman takes `oci:folder` as such, not as a repository with a tag. */
const LOCAL_SOURCES = 'containers-storage|dir|docker-archive|docker-daemon|oci|oci-archive|ostree|sif|tarball';

/** Names that engines take for the id of an image, which hide from which repository the image is. */
const IDS = 'sha[0-9]+:|[0-9A-Fa-f]{1,64}$';

/** The name of a container image in a registry: an optional host with its port, a path, a tag, and a digest. */
export const ImageName = z
  .string()
  .trim()
  .max(500)
  .regex(
    new RegExp(
      `^(?!(?:${LOCAL_SOURCES}):|${IDS})[A-Za-z0-9][\\w.-]*(?::[0-9]+/[\\w.-]+)?(?:/[\\w.-]+)*(?::[\\w.-]+)?(?:@[A-Za-z0-9]+:[0-9a-f]+)?$`,
    ),
    fieldError('field.container_image'),
  );

/** The networks of containers. */
export const ContainerNetwork = z.enum(['default', 'none', 'host']);
export type ContainerNetwork = z.infer<typeof ContainerNetwork>;

/** Variables of the process of a runner that only the engine of its containers gets. */
export const ENGINE_VARIABLES: readonly string[] = [
  ...['XDG_RUNTIME_DIR', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'DBUS_SESSION_BUS_ADDRESS'],
  ...['DOCKER_HOST', 'DOCKER_CONFIG', 'DOCKER_CONTEXT', 'DOCKER_CERT_PATH', 'DOCKER_TLS_VERIFY'],
  ...['CONTAINERS_CONF', 'CONTAINERS_STORAGE_CONF', 'CONTAINERS_REGISTRIES_CONF'],
];

const ContainerEnvironment = z.object({
  kind: z.literal('container').describe('A container, which the runner starts with podman or docker.'),
  image: ImageName.describe(
    'The image with its registry and its tag or digest, such as `ghcr.io/team/ansible:2.19`. Not a file of the runner, such as `oci:folder`, and not the id of an image.',
  ),
  pull: z
    .enum(['missing', 'always', 'never'])
    .default('missing')
    .describe('When the runner pulls the image: if it has none, before each run, or never.'),
  registry_key_id: Id.nullable().default(null).describe('The key with the login of the registry; null for no login.'),
  network: ContainerNetwork.default('default').describe(
    'The network of the container: that of the engine, none, or that of the runner.',
  ),
  memory_mb: z
    .int()
    .min(MIN_MEMORY_MB)
    .max(10_000_000)
    .nullable()
    .default(null)
    .describe('Maximum memory in MB; null for no limit.'),
  cpus: z
    .number()
    .min(0.01)
    .max(10_000)
    .nullable()
    .default(null)
    .describe('Maximum number of CPUs; null for no limit.'),
  pids: z
    .int()
    .min(16)
    .max(1_000_000)
    .nullable()
    .default(null)
    .describe('Maximum number of processes; null for the default of the engine.'),
});
export type ContainerEnvironment = z.output<typeof ContainerEnvironment>;

const AnyEnvironment = z.discriminatedUnion('kind', [SystemEnvironment, VirtualEnvironment, ContainerEnvironment]);
type EnvironmentUnion = typeof AnyEnvironment;
/** A name for the type of the schema, because the type of the route table would otherwise contain it many times. */
export interface EnvironmentSchema extends EnvironmentUnion {}

/** Where the programs of a run come from. It is no environment of variables. */
export const ExecutionEnvironment: EnvironmentSchema = AnyEnvironment;
export type ExecutionEnvironment = z.output<typeof ExecutionEnvironment>;

/** The kinds of execution environments. */
export const EnvironmentKind = z.enum(['system', 'virtual', 'container'] satisfies ExecutionEnvironment['kind'][]);
export type EnvironmentKind = z.infer<typeof EnvironmentKind>;

export const SYSTEM_ENVIRONMENT: ExecutionEnvironment = { kind: 'system' };

/** A kind that a runner can provide, and the program with which it does. Servers ignore kinds that they do not know. */
export const ProvidedEnvironment = z.object({
  kind: z.string().max(100).describe('The kind of the execution environments.'),
  program: z.string().max(100).describe('The program that makes them, such as `uv`; empty if none is needed.'),
  version: z.string().max(200).describe('Version of that program; empty if it is unknown.'),
  error: z
    .string()
    .max(1000)
    .optional()
    .describe('Why the program does not work, in its own text. The runner gets no such task. Absent if it works.'),
});
export type ProvidedEnvironment = z.infer<typeof ProvidedEnvironment>;

/** What a runner provides that announces nothing. */
export const ONLY_SYSTEM: readonly ProvidedEnvironment[] = [{ kind: 'system', program: '', version: '' }];
