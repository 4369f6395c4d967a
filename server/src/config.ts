import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { isAbsolute, resolve } from 'node:path';
import { ENGINE_VARIABLES, SecondFactorMode } from '@signalbox/contract';
import { parse as parseYaml } from 'yaml';
import { z } from 'zod';
import type { EnvironmentRules } from './execution-environments.ts';
import { ALERT_SETTINGS, type AlertConfig, alertConfig, alertErrors } from './settings/alert-settings.ts';
import { AUDIT_SETTINGS, type AuditConfig, auditConfig, auditErrors } from './settings/audit-settings.ts';
import { CHOICE_SETTINGS, type ChoiceConfig, choiceConfig } from './settings/choice-settings.ts';
import { CONTAINER_SETTINGS, containerEnvironment } from './settings/container-settings.ts';
import { databaseAddress, isDatabaseUrl } from './settings/database-address.ts';
import { ENVIRONMENT_SETTINGS, environmentErrors, environmentRules } from './settings/environment-settings.ts';
import { type LdapServer, LdapServers, ldapServers } from './settings/ldap-settings.ts';
import {
  LOG_STORE_SETTINGS,
  type LogStoreConfig,
  logStoreConfig,
  logStoreErrors,
} from './settings/log-store-settings.ts';
import { shellCommand } from './settings/shell-command.ts';
import {
  type OidcProvider,
  OidcProviders,
  oidcProviders,
  providersWithoutReturn,
} from './settings/sign-in-settings.ts';
import { wholeNumber } from './settings/whole-number.ts';

const PublicUrl = z
  .url({ protocol: /^https?$/, error: 'must be an address that starts with http:// or https://' })
  .transform((url) => url.replace(/\/+$/, ''))
  .refine((url) => !/[?#@]/.test(url), 'must have no user, no query and no fragment')
  // The path is written into cookies and into the page, so characters with a meaning there are refused.
  .refine(
    (url) => /^[\w.~/-]*$/.test(URL.parse(url)?.pathname ?? ''),
    'must have a path of letters, digits and . _ ~ -',
  );

const PROXY_NETWORKS = ['loopback', 'linklocal', 'uniquelocal'];
const isNetwork = (value: string): boolean => {
  const [address = '', bits] = value.split('/');
  if (PROXY_NETWORKS.includes(value)) return true;
  const version = isIP(address);
  return (
    version !== 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128)))
  );
};

const NETWORKS = 'must be IP addresses or networks such as 10.0.0.0/8, separated by commas';
const networks = z
  .string()
  .transform((value) =>
    value
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  )
  .refine((list) => list.every(isNetwork), NETWORKS);

const folders = z
  .string()
  .transform((value) => value.split(':').filter((folder) => folder !== ''))
  .refine((list) => list.every((folder) => isAbsolute(folder)), 'must be absolute folders, separated by colons');

const isTimezone = (name: string): boolean => {
  try {
    Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
};

const yesOrNo = z.union(
  [z.boolean(), z.enum(['true', 'false']).transform((name) => name === 'true')],
  'must be true or false',
);

/** Settings that only the file can hold, because they are lists of objects. */
const ONLY_IN_FILE = ['SIGNALBOX_OIDC_PROVIDERS', 'SIGNALBOX_LDAP_SERVERS'] as const;

const OUTPUT_LIMIT = 'must be a number of bytes, at least 1000';

/** Every setting: its name in the environment, its allowed values, and its default. */
export const Settings = z.object({
  SIGNALBOX_PORT: wholeNumber(0, 65_535).default(3000),
  SIGNALBOX_HOST: z.string().min(1).default('127.0.0.1'),
  SIGNALBOX_DATA: z.string().min(1).default('./data'),
  SIGNALBOX_URL: PublicUrl.optional(),
  SIGNALBOX_COMMAND: z
    .string()
    .trim()
    .regex(/^\P{Cc}{1,1000}$/u, 'must be one line')
    .optional(),
  SIGNALBOX_ADMIN: z.string().trim().min(1, 'must be a username').default('admin'),
  SIGNALBOX_ADMIN_PASSWORD: z.string().min(1).optional(),
  SIGNALBOX_ADMIN_EMAIL: z
    .string()
    .regex(/^[^\s@]+@[^\s@]+$/, 'must be an email address')
    .default('admin@localhost'),
  SIGNALBOX_TIMEZONE: z.string().refine(isTimezone, 'must be a time zone such as Europe/Berlin').default('UTC'),
  SIGNALBOX_LOCAL_REPOSITORY_ROOTS: folders.default([]),
  SIGNALBOX_HTTP_REPOSITORIES: z.enum(['0', '1']).default('0'),
  SIGNALBOX_HOST_KEYS: z.enum(['accept-new', 'strict']).default('accept-new'),
  SIGNALBOX_WARM_START: z.enum(['0', '1']).default('0'),
  SIGNALBOX_TRUSTED_PROXIES: networks.default([]),
  SIGNALBOX_MAX_PARALLEL_TASKS: wholeNumber(0, 10_000).default(0),
  SIGNALBOX_RUNNER_SLOTS: wholeNumber(0, 1000).default(10),
  SIGNALBOX_NEW_RUNNER_TOKEN_FILE: z.string().refine(isAbsolute, 'must be an absolute path').optional(),
  SIGNALBOX_OUTPUT_LIMIT: z
    .union(
      [
        z.int(),
        z
          .string()
          .regex(/^\d{1,15}$/)
          .transform(Number),
      ],
      OUTPUT_LIMIT,
    )
    .refine((bytes) => bytes >= 1000, OUTPUT_LIMIT)
    .default(1024 * 1024 * 1024),
  SIGNALBOX_CACHE_MAX_DAYS: wholeNumber(0, 36_500).default(60),
  SIGNALBOX_CACHE_MAX_MB: wholeNumber(0, 100_000_000).default(10_000),
  SIGNALBOX_LOST_AFTER_SECONDS: wholeNumber(30, 7 * 24 * 3600).default(600),
  SIGNALBOX_RUNNER_TOKEN_HOURS: wholeNumber(0, 24 * 366).default(24),
  SIGNALBOX_RUN_AS: z
    .string()
    .regex(/^$|^[A-Za-z_][\w.-]{0,63}$/, 'must be the name of a user')
    .default(''),
  SIGNALBOX_KEEP_TASKS_DAYS: wholeNumber(0, 36_500).default(0),
  SIGNALBOX_KEEP_LOGS_DAYS: wholeNumber(0, 36_500).default(0),
  SIGNALBOX_KEEP_TASKS_PER_TEMPLATE: wholeNumber(1, 10_000).default(20),
  SIGNALBOX_LOGIN_WITH_PASSWORD: yesOrNo.default(true),
  SIGNALBOX_SECOND_FACTOR: SecondFactorMode.default('optional'),
  SIGNALBOX_OIDC_PROVIDERS: OidcProviders.default({}),
  SIGNALBOX_LDAP_SERVERS: LdapServers.default([]),
  ...ALERT_SETTINGS,
  SIGNALBOX_SMTP_PORT: wholeNumber(1, 65_535).optional(),
  SIGNALBOX_ALERT_NETWORKS: z
    .union([z.literal('none').transform((): string[] => []), networks], NETWORKS)
    .default(['uniquelocal']),
  SIGNALBOX_KEEP_ALERTS_DAYS: wholeNumber(1, 36_500).default(30),
  ...AUDIT_SETTINGS,
  ...CHOICE_SETTINGS,
  ...CONTAINER_SETTINGS,
  ...ENVIRONMENT_SETTINGS,
  ...LOG_STORE_SETTINGS,
  SIGNALBOX_KEEP_EVENTS_DAYS: wholeNumber(0, 36_500).default(0),
  SIGNALBOX_ENCRYPTION_KEY: z.string().min(1).optional(),
  SIGNALBOX_OTHER_ENCRYPTION_KEYS: z
    .string()
    .transform((value) => value.split(/[\s,:]+/).filter((key) => key !== ''))
    .default([]),
  SIGNALBOX_LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('warn'),
  SIGNALBOX_DATABASE_PASSWORD_FILE: z.string().refine(isAbsolute, 'must be an absolute path').optional(),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must start with postgres://')
    .refine(isDatabaseUrl, 'must be an address; in a name or password, write @ : / ? # % as %40 %3A %2F %3F %23 %25')
    .optional(),
});

export interface Config {
  readonly port: number;
  readonly host: string;
  readonly dataFolder: string;
  /** Public address of the console, without a trailing slash. Undefined: use the Host header of the request. */
  readonly publicUrl: string | undefined;
  /** Path of the public address: empty, or for example `/signalbox`. */
  readonly pathPrefix: string;
  /** Text that users type before a command's name to run it on the data of this server. */
  readonly command: string;
  readonly admin: { readonly login: string; readonly password: string | undefined; readonly email: string };
  readonly timezone: string;
  readonly localRepositoryRoots: readonly string[];
  /** Whether repositories may be fetched over unencrypted HTTP. */
  readonly httpRepositories: boolean;
  /** What the local runner does with the key of an unknown SSH host. */
  readonly hostKeys: 'accept-new' | 'strict';
  /** Whether the local runner keeps a process that starts Ansible faster. */
  readonly warmStart: boolean;
  readonly trustedProxies: readonly string[];
  /** 0 means no limit. */
  readonly maxParallelTasks: number;
  /** Concurrent runs of the local runner; 0 means that the server starts no runner. */
  readonly runnerSlots: number;
  /** File for the token of a runner that is started next to the server. Undefined: no such runner. */
  readonly newRunnerTokenFile: string | undefined;
  /** Operating system user that runs tasks on the local runner. Empty: the user of the server. */
  readonly runAs: string;
  /** Maximum log size of one run, in bytes. */
  readonly outputLimit: number;
  /** How long and how much the local runner caches of repositories and requirements; 0 means no limit. */
  readonly cache: { readonly maxDays: number; readonly maxMegabytes: number };
  /** Seconds without a message after which the runs of a runner count as lost. */
  readonly lostAfterSeconds: number;
  /** Hours after which the token of a registered runner is replaced; 0 for never. */
  readonly runnerTokenHours: number;
  /** How long ended tasks and their logs are kept, unless the template has settings of its own. */
  readonly retention: {
    /** 0 means that tasks are kept forever. */
    readonly tasksDays: number;
    /** 0 means that logs are kept forever. */
    readonly logsDays: number;
    /** Number of the newest tasks of each template that are kept regardless of their age. */
    readonly leastTasks: number;
  };
  /** Whether users may sign in with a password. */
  readonly loginWithPassword: boolean;
  /** Whether users who sign in with a password of this server may, must or cannot use a second factor. */
  readonly secondFactor: SecondFactorMode;
  readonly oidcProviders: readonly OidcProvider[];
  readonly ldapServers: readonly LdapServer[];
  readonly alerts: AlertConfig;
  readonly audit: AuditConfig;
  readonly choices: ChoiceConfig;
  /** Which execution environments are allowed, and that of projects which have none of their own. */
  readonly environments: EnvironmentRules;
  /** Where the logs of ended tasks are moved to, and when. */
  readonly logStore: LogStoreConfig;
  /** Days for which events are kept; 0 means forever. */
  readonly keepEventsDays: number;
  readonly encryptionKey: string | undefined;
  /** Keys that can decrypt stored secrets, in addition to the key that encrypts new ones. */
  readonly otherEncryptionKeys: readonly string[];
  readonly logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'silent';
  readonly databaseUrl: string | undefined;
  /** The settings of the local runner for containers, as its environment. */
  readonly containerEnvironment: Readonly<Record<string, string>>;
  /**
   * Environment variables that the local runner inherits: enough to find programs, reach the network and use the
   * system language.
   */
  readonly runnerEnvironment: Readonly<Record<string, string>>;
}

/** The message of this error names every invalid setting. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

type Environment = Readonly<Record<string, string | undefined>>;

/** What separates the values of a list in the environment. Of other lists, a colon. */
const SEPARATORS: Readonly<Record<string, string>> = {
  ...{ trusted_proxies: ',', alert_networks: ',', execution_environments: ',', container_networks: ',' },
  ...{ container_engine_arguments: ' ', container_run_arguments: ' ' },
};

const fileSettings = (environment: Environment): Record<string, unknown> => {
  const file = environment.SIGNALBOX_CONFIG;
  if (file === undefined || file === '') return {};
  let content: unknown;
  try {
    content = parseYaml(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new ConfigError(
      `SIGNALBOX_CONFIG: ${file} cannot be read as YAML: ${(error as Error).message.split('\n')[0]}`,
    );
  }
  if (content !== null && (typeof content !== 'object' || Array.isArray(content))) {
    throw new ConfigError(`SIGNALBOX_CONFIG: ${file} must hold settings as name: value, one a line.`);
  }
  // Lists are YAML lists in the file, and separated texts in the environment.
  const asText = (value: unknown, name: string): unknown => {
    if (value === null) return undefined;
    if (!Array.isArray(value) || !value.every((one) => typeof one !== 'object')) return value;
    return value.join(SEPARATORS[name] ?? ':');
  };
  return Object.fromEntries(
    Object.entries((content as Record<string, unknown>) ?? {}).map(([name, value]) => [
      name === 'database_url' ? 'DATABASE_URL' : `SIGNALBOX_${name.toUpperCase()}`,
      asText(value, name),
    ]),
  );
};

/** Errors of combinations of settings. */
const combinationErrors = (settings: z.output<typeof Settings>): string[] => {
  const { SIGNALBOX_OIDC_PROVIDERS: providers, SIGNALBOX_URL: url } = settings;
  const hasWayIn = settings.SIGNALBOX_LOGIN_WITH_PASSWORD || Object.keys(providers).length > 0;
  const hasOthersAlone =
    settings.SIGNALBOX_OTHER_ENCRYPTION_KEYS.length > 0 && settings.SIGNALBOX_ENCRYPTION_KEY === undefined;
  return [
    ...auditErrors(settings),
    ...environmentErrors(settings),
    ...logStoreErrors(settings),
    ...(hasOthersAlone ? ['SIGNALBOX_OTHER_ENCRYPTION_KEYS: is of use only with SIGNALBOX_ENCRYPTION_KEY'] : []),
    ...(hasWayIn
      ? []
      : ['SIGNALBOX_LOGIN_WITH_PASSWORD: is false, and there is no provider, so no user could sign in']),
    ...providersWithoutReturn(providers, url).map(
      (id) => `SIGNALBOX_OIDC_PROVIDERS.${id}: needs SIGNALBOX_URL or a redirect_url, to which people are sent back`,
    ),
  ];
};

const RUNNER_INHERITS = [
  ...['PATH', 'HOME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'USER', 'LOGNAME'],
  ...['http_proxy', 'https_proxy', 'no_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'],
  ...['SSL_CERT_FILE', 'SSL_CERT_DIR'],
  // Engines of containers need them.
  ...ENGINE_VARIABLES,
];

/**
 * Reads the settings from the environment and from the file that SIGNALBOX_CONFIG names. The environment takes
 * precedence.
 * @throws ConfigError with all errors in one message
 */
export const readConfig = (environment: Environment = process.env): Config => {
  const fromFile = fileSettings(environment);
  const unknown = Object.keys(fromFile).filter((name) => !(name in Settings.shape));
  const fromEnvironment = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  );
  for (const name of ONLY_IN_FILE) delete fromEnvironment[name];
  const result = Settings.safeParse({ ...fromFile, ...fromEnvironment });
  const database = databaseAddress(result.data?.DATABASE_URL, result.data?.SIGNALBOX_DATABASE_PASSWORD_FILE);
  const problems = [
    ...ONLY_IN_FILE.filter((name) => environment[name]).map(
      (name) => `${name}: is written in the file that SIGNALBOX_CONFIG names`,
    ),
    ...unknown.map((name) => `${name.replace('SIGNALBOX_', '').toLowerCase()}: is no setting`),
    ...(result.data ? alertErrors(result.data) : []),
    ...(result.error?.issues ?? []).map((issue) => `${issue.path.join('.')}: ${issue.message}`),
    ...(result.data ? combinationErrors(result.data) : []),
    ...('failure' in database ? [`SIGNALBOX_DATABASE_PASSWORD_FILE: ${database.failure}`] : []),
  ];
  if (problems.length > 0 || !result.data || 'failure' in database)
    throw new ConfigError(`The settings are wrong.\n  ${problems.join('\n  ')}`);
  const s = result.data;
  return {
    port: s.SIGNALBOX_PORT,
    host: s.SIGNALBOX_HOST,
    dataFolder: resolve(s.SIGNALBOX_DATA),
    publicUrl: s.SIGNALBOX_URL,
    pathPrefix: s.SIGNALBOX_URL ? new URL(s.SIGNALBOX_URL).pathname.replace(/\/$/, '') : '',
    command: s.SIGNALBOX_COMMAND ?? shellCommand(environment, resolve(s.SIGNALBOX_DATA)),
    admin: { login: s.SIGNALBOX_ADMIN, password: s.SIGNALBOX_ADMIN_PASSWORD, email: s.SIGNALBOX_ADMIN_EMAIL },
    timezone: s.SIGNALBOX_TIMEZONE,
    localRepositoryRoots: s.SIGNALBOX_LOCAL_REPOSITORY_ROOTS,
    httpRepositories: s.SIGNALBOX_HTTP_REPOSITORIES === '1',
    hostKeys: s.SIGNALBOX_HOST_KEYS,
    warmStart: s.SIGNALBOX_WARM_START === '1',
    trustedProxies: s.SIGNALBOX_TRUSTED_PROXIES,
    maxParallelTasks: s.SIGNALBOX_MAX_PARALLEL_TASKS,
    runnerSlots: s.SIGNALBOX_RUNNER_SLOTS,
    newRunnerTokenFile: s.SIGNALBOX_NEW_RUNNER_TOKEN_FILE,
    runAs: s.SIGNALBOX_RUN_AS,
    outputLimit: s.SIGNALBOX_OUTPUT_LIMIT,
    cache: { maxDays: s.SIGNALBOX_CACHE_MAX_DAYS, maxMegabytes: s.SIGNALBOX_CACHE_MAX_MB },
    lostAfterSeconds: s.SIGNALBOX_LOST_AFTER_SECONDS,
    runnerTokenHours: s.SIGNALBOX_RUNNER_TOKEN_HOURS,
    retention: {
      tasksDays: s.SIGNALBOX_KEEP_TASKS_DAYS,
      logsDays: s.SIGNALBOX_KEEP_LOGS_DAYS,
      leastTasks: s.SIGNALBOX_KEEP_TASKS_PER_TEMPLATE,
    },
    loginWithPassword: s.SIGNALBOX_LOGIN_WITH_PASSWORD,
    secondFactor: s.SIGNALBOX_LOGIN_WITH_PASSWORD ? s.SIGNALBOX_SECOND_FACTOR : 'off',
    oidcProviders: oidcProviders(s.SIGNALBOX_OIDC_PROVIDERS, s.SIGNALBOX_URL),
    ldapServers: ldapServers(s.SIGNALBOX_LDAP_SERVERS),
    alerts: alertConfig(s),
    audit: auditConfig(s),
    choices: choiceConfig(s),
    environments: environmentRules(s),
    logStore: logStoreConfig(s),
    keepEventsDays: s.SIGNALBOX_KEEP_EVENTS_DAYS,
    encryptionKey: s.SIGNALBOX_ENCRYPTION_KEY,
    otherEncryptionKeys: s.SIGNALBOX_OTHER_ENCRYPTION_KEYS,
    logLevel: s.SIGNALBOX_LOG_LEVEL,
    databaseUrl: database.url,
    containerEnvironment: containerEnvironment(s),
    runnerEnvironment: Object.fromEntries(
      RUNNER_INHERITS.flatMap((name) => (environment[name] === undefined ? [] : [[name, environment[name]]])),
    ),
  };
};

/** The environment of a command that calls a running server. */
export interface ClientSettings {
  readonly server: string | undefined;
  readonly token: string | undefined;
  /** Whether output for a terminal may contain colours. */
  readonly colours: boolean;
}

export const readClientSettings = (environment: Environment = process.env): ClientSettings => ({
  server: environment.SIGNALBOX_SERVER,
  token: environment.SIGNALBOX_TOKEN,
  colours: process.stdout.isTTY === true && (environment.NO_COLOR ?? '') === '',
});
