import { userInfo } from 'node:os';
import { ENGINE_VARIABLES } from '@signalbox/contract/link';
import { z } from 'zod';
import type { CacheLimits } from './cache/cache-cleaner.ts';
import type { ContainerSettings } from './environments/container/engine.ts';
import { CONTAINER_SETTINGS, containerSettings } from './environments/container/settings.ts';

const absolute = (what: string) => z.string().regex(/^\//, `${what} must be an absolute path`);

const wholeNumber = (name: string, usual: string) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `${name} must be a whole number`)
    .default(usual)
    .transform(Number);

const Settings = z.object({
  SIGNALBOX_SERVER: z
    .string()
    .regex(/^$|^(unix:\/|https?:\/\/[^/])/, 'SIGNALBOX_SERVER must be unix:/path/to/socket, or an http(s) address')
    .default(''),
  SIGNALBOX_RUNNER_TOKEN_FILE: z.string().default(''),
  SIGNALBOX_RUNNER_DATA: z.string('SIGNALBOX_RUNNER_DATA is required').min(1, 'SIGNALBOX_RUNNER_DATA is required'),
  SIGNALBOX_RUNNER_SLOTS: z
    .string()
    .regex(/^[1-9]\d{0,3}$/, 'SIGNALBOX_RUNNER_SLOTS must be a number from 1 to 9999')
    .default('10'),
  SIGNALBOX_OUTPUT_LIMIT: z
    .string()
    .regex(/^[1-9]\d{3,14}$/, 'SIGNALBOX_OUTPUT_LIMIT must be a number of bytes, at least 1000')
    .default(String(1024 * 1024 * 1024)),
  SIGNALBOX_CACHE_MAX_DAYS: wholeNumber('SIGNALBOX_CACHE_MAX_DAYS', '60'),
  SIGNALBOX_CACHE_MAX_MB: wholeNumber('SIGNALBOX_CACHE_MAX_MB', '10000'),
  ...CONTAINER_SETTINGS,
  SIGNALBOX_RUN_AS: z
    .string()
    .regex(/^$|^[A-Za-z_][\w.-]{0,63}$/, 'SIGNALBOX_RUN_AS must be the name of a user')
    .default(''),
  SIGNALBOX_WARM_START: z.enum(['', '0', '1'], 'SIGNALBOX_WARM_START must be 0 or 1').default('0'),
  SIGNALBOX_RUNNER_ONCE: z.enum(['', '0', '1'], 'SIGNALBOX_RUNNER_ONCE must be 0 or 1').default('0'),
  SIGNALBOX_RUNNER_LOCAL: z.enum(['', '0', '1'], 'SIGNALBOX_RUNNER_LOCAL must be 0 or 1').default('0'),
  SIGNALBOX_RUNNER_SETTINGS: z.string().max(100).default(''),
  SIGNALBOX_HOST_KEYS: z
    .enum(['', 'accept-new', 'strict'], 'SIGNALBOX_HOST_KEYS must be accept-new or strict')
    .default('accept-new'),
  SIGNALBOX_LOCAL_REPOSITORY_ROOTS: z
    .string()
    .default('')
    .transform((text) => text.split(':').filter((root) => root !== ''))
    .pipe(z.array(absolute('Each folder of SIGNALBOX_LOCAL_REPOSITORY_ROOTS'))),
});

/** Variables of the runner's environment that child processes receive. */
const PASSED_ON = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'LANG',
  'LC_ALL',
  'LC_CTYPE',
  'TZ',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
];

/** Variables that name the proxy to the server, and the addresses without one. */
const PROXY = ['https_proxy', 'HTTPS_PROXY', 'no_proxy', 'NO_PROXY'];

export interface RunnerConfig {
  /** Undefined for the server at which the runner is registered. */
  server: string | undefined;
  /** Undefined for a registered runner. */
  tokenFile: string | undefined;
  data: string;
  /** The variables that name the proxy to the server. */
  proxy: Record<string, string>;
  slots: number;
  /** True for a runner that takes one task and ends. */
  once: boolean;
  /** The user as whom the programs of runs are executed; empty for the runner's own. */
  runAs: string;
  /** Whether a process that has loaded the modules of a program starts it. */
  warmStart: boolean;
  /** Maximum bytes of one run's log. */
  outputLimit: number;
  cache: CacheLimits;
  containers: ContainerSettings;
  /** True for the runner that a server starts for itself: without work, this runner ends after the server. */
  isLocal: boolean;
  /** Digest of the settings with which a server started this runner; empty if no server started it. */
  settings: string;
  roots: string[];
  hostKeys: 'accept-new' | 'strict';
  base: Record<string, string>;
}

export class ConfigError extends Error {}

type Environment = Readonly<Record<string, string | undefined>>;

/** The variables of this process, for the options of `register`. */
export const readVariables = (): Environment => process.env;

const pick = (environment: Environment, names: readonly string[]): Record<string, string> => {
  const picked: Record<string, string> = {};
  for (const name of names) {
    const value = environment[name];
    if (value !== undefined && value !== '') picked[name] = value;
  }
  return picked;
};

export const readProxy = (environment: Environment = process.env): Record<string, string> => pick(environment, PROXY);

/** The folder in which the user of this process may write if HOME is not set; `/` for a user without an entry. */
const homeOf = (): string => {
  try {
    return userInfo().homedir || '/';
  } catch {
    return '/';
  }
};

/**
 * Reads the whole configuration.
 * @throws ConfigError with all errors
 */
export const readConfig = (environment: Environment = process.env): RunnerConfig => {
  const settings = Settings.safeParse(environment);
  if (!settings.success) throw new ConfigError(settings.error.issues.map((issue) => issue.message).join('\n'));
  const base: Record<string, string> = {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    HOME: homeOf(),
    LANG: 'C.UTF-8',
    ...pick(environment, PASSED_ON),
  };
  return {
    server: settings.data.SIGNALBOX_SERVER || undefined,
    tokenFile: settings.data.SIGNALBOX_RUNNER_TOKEN_FILE || undefined,
    data: settings.data.SIGNALBOX_RUNNER_DATA,
    proxy: readProxy(environment),
    slots: Number(settings.data.SIGNALBOX_RUNNER_SLOTS),
    once: settings.data.SIGNALBOX_RUNNER_ONCE === '1',
    cache: {
      days: settings.data.SIGNALBOX_CACHE_MAX_DAYS,
      bytes: settings.data.SIGNALBOX_CACHE_MAX_MB * 1_000_000,
    },
    containers: containerSettings(settings.data, pick(environment, ENGINE_VARIABLES)),
    warmStart: settings.data.SIGNALBOX_WARM_START === '1',
    runAs: settings.data.SIGNALBOX_RUN_AS,
    outputLimit: Number(settings.data.SIGNALBOX_OUTPUT_LIMIT),
    isLocal: settings.data.SIGNALBOX_RUNNER_LOCAL === '1',
    settings: settings.data.SIGNALBOX_RUNNER_SETTINGS,
    roots: settings.data.SIGNALBOX_LOCAL_REPOSITORY_ROOTS,
    hostKeys: settings.data.SIGNALBOX_HOST_KEYS || 'accept-new',
    base,
  };
};
