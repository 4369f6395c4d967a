import type { Settings } from '../config.ts';

interface Description {
  readonly meaning: string;
  /** The effective value when the setting is not set and has no literal default. */
  readonly unset?: string;
}

/** The description of each setting for the settings page. A missing setting does not compile. */
export const SETTING_DESCRIPTIONS: Readonly<Record<keyof typeof Settings.shape, Description>> = {
  SIGNALBOX_PORT: { meaning: 'port of the console and the API' },
  SIGNALBOX_HOST: { meaning: 'address to listen on' },
  SIGNALBOX_DATA: { meaning: 'folder of all stored data' },
  SIGNALBOX_COMMAND: {
    meaning:
      'text that users type before a command on this installation, such as `docker compose exec server signalbox`; the sign-in page shows it, so it must not contain a secret',
    unset: 'the full path with the settings of the server, and secrets as variables',
  },
  SIGNALBOX_URL: {
    meaning: 'public address, may have a path; also decides which origin may write',
    unset: 'the Host header of the request',
  },
  SIGNALBOX_ADMIN: { meaning: 'login of the first user' },
  SIGNALBOX_ADMIN_PASSWORD: { meaning: 'password of the first user', unset: 'generated, and printed once' },
  SIGNALBOX_ADMIN_EMAIL: { meaning: 'email address of the first user' },
  SIGNALBOX_ENCRYPTION_KEY: {
    meaning: '32 bytes in base64 that encrypt all stored secrets',
    unset: 'a file in the data folder with mode 0600',
  },
  SIGNALBOX_OTHER_ENCRYPTION_KEYS: {
    meaning:
      'additional keys, separated by commas, that decrypt stored secrets while [the key is changed](command-line.md)',
  },
  SIGNALBOX_LOCAL_REPOSITORY_ROOTS: {
    meaning: 'folders, separated by colons, from which local repositories and inventories may be used',
  },
  SIGNALBOX_HTTP_REPOSITORIES: {
    meaning: '1 allows repositories with http:// addresses; playbooks and passwords are then sent unencrypted',
  },
  SIGNALBOX_MAX_PARALLEL_TASKS: { meaning: 'maximum number of concurrent tasks in the whole system; 0 means no limit' },
  SIGNALBOX_RUNNER_SLOTS: { meaning: 'maximum number of concurrent tasks on this machine; 0 starts no local runner' },
  SIGNALBOX_NEW_RUNNER_TOKEN_FILE: {
    meaning:
      'file to which the server writes, at its start, the token of a runner in another container or unit next to it; a file with a valid token is kept',
  },
  SIGNALBOX_OUTPUT_LIMIT: {
    meaning:
      "maximum size of one task's log in bytes; a last line reports that the rest is missing, and the playbook continues. Results of this size lose the messages of hosts, and at twice this size further results are dropped",
  },
  SIGNALBOX_CACHE_MAX_DAYS: {
    meaning:
      'days after their last use that a runner keeps mirrors of repositories and installed requirements; 0 means forever',
  },
  SIGNALBOX_CACHE_MAX_MB: {
    meaning:
      'maximum size of this cache in megabytes; the least recently used entries are deleted first; 0 means no limit',
  },
  SIGNALBOX_CONTAINER_ENGINE: {
    meaning: 'engine of the local runner for [containers](containers.md): `podman`, `docker` or `none`',
    unset: 'the first that is found, podman before docker',
  },
  SIGNALBOX_CONTAINER_ENGINE_ARGUMENTS: {
    meaning: 'arguments of the engine before its command, separated by blanks, such as `--runtime runc`',
  },
  SIGNALBOX_CONTAINER_RUN_ARGUMENTS: {
    meaning:
      'additional arguments of `run`, separated by blanks, such as `--ulimit nofile=1024:1024`; they can weaken the separation of runs',
  },
  SIGNALBOX_CONTAINER_NETWORKS: {
    meaning: 'networks that a container may have, separated by commas: `default`, `none` and `host`',
  },
  SIGNALBOX_EXECUTION_ENVIRONMENTS: {
    meaning:
      'kinds of [execution environments](../guides/execution-environments.md), separated by commas, that projects and templates may have',
  },
  SIGNALBOX_DEFAULT_EXECUTION_ENVIRONMENT: {
    meaning: 'execution environment in JSON of projects that have none of their own',
  },
  SIGNALBOX_RUNNER_TOKEN_HOURS: {
    meaning: 'hours after which the token of a [registered runner](registering-runners.md) is replaced; 0 means never',
  },
  SIGNALBOX_LOST_AFTER_SECONDS: { meaning: 'seconds after which the tasks of a [silent runner](failures.md) are lost' },
  SIGNALBOX_RUN_AS: {
    meaning: 'user that runs tasks on this machine, see [separation](separation.md)',
    unset: "the server's own user",
  },
  SIGNALBOX_KEEP_TASKS_DAYS: { meaning: 'days for which ended tasks are kept with their results; 0 means forever' },
  SIGNALBOX_KEEP_LOGS_DAYS: {
    meaning: 'days for which the logs of ended tasks are kept; 0 means as long as the tasks, and results stay',
  },
  SIGNALBOX_KEEP_TASKS_PER_TEMPLATE: {
    meaning:
      'number of the newest ended tasks of each template that are kept with their logs regardless of their age; minimum: 1',
  },
  SIGNALBOX_HOST_KEYS: {
    meaning:
      'what the local runner does with an unknown [host key](access.md): `accept-new` stores it, `strict` refuses it',
  },
  SIGNALBOX_WARM_START: {
    meaning:
      'whether the local runner keeps a process that [starts Ansible faster](runners.md#warm-start), which is still experimental: `1` or `0`',
  },
  SIGNALBOX_TRUSTED_PROXIES: {
    meaning: "addresses of proxies, separated by commas, that report the client's address",
  },
  SIGNALBOX_TIMEZONE: { meaning: 'time zone of [schedules](schedules.md)' },
  SIGNALBOX_LOGIN_WITH_PASSWORD: {
    meaning: 'whether users may sign in with a password; `false` needs a [provider](single-sign-on.md)',
  },
  SIGNALBOX_SECOND_FACTOR: {
    meaning:
      'whether users with a password of this server may (`optional`), must (`required`) or cannot (`off`) have a [second factor](second-factor.md)',
  },
  SIGNALBOX_OIDC_PROVIDERS: {
    meaning: '[providers](single-sign-on.md#providers) to sign in with; only in the file, as `oidc_providers`',
  },
  SIGNALBOX_LDAP_SERVERS: {
    meaning: '[directories](single-sign-on.md#directories) that verify passwords; only in the file, as `ldap_servers`',
  },
  SIGNALBOX_LOG_LEVEL: { meaning: '`fatal`, `error`, `warn`, `info`, `debug` or `silent`' },
  SIGNALBOX_SMTP_HOST: { meaning: 'mail server of [alerts](alerts.md); without it no mail is sent' },
  SIGNALBOX_SMTP_PORT: { meaning: 'port of the mail server', unset: '`587`, or `465` for `tls`' },
  SIGNALBOX_SMTP_SECURITY: {
    meaning:
      '`starttls` sends nothing before the connection is encrypted, `tls` encrypts from the first byte, and `none` never encrypts, for a mail server on this machine',
  },
  SIGNALBOX_SMTP_USER: { meaning: 'login at the mail server' },
  SIGNALBOX_SMTP_PASSWORD: { meaning: 'password at the mail server; required with a user' },
  SIGNALBOX_SMTP_FROM: { meaning: 'sender, such as `Signalbox <box@example.org>`', unset: 'required with a host' },
  SIGNALBOX_SMTP_CA: {
    meaning: 'absolute path of a file with trusted CA certificates (PEM)',
    unset: 'the CA certificates of the system',
  },
  SIGNALBOX_TELEGRAM_TOKEN: { meaning: 'token of the bot that writes to chats' },
  SIGNALBOX_TELEGRAM_URL: { meaning: 'address of the Telegram API' },
  SIGNALBOX_ALERT_NETWORKS: {
    meaning:
      'networks in addition to the public internet to which receivers may belong: `loopback`, `linklocal`, `uniquelocal`, or networks such as `10.0.0.0/8`, separated by commas; `none` for the public internet only',
  },
  SIGNALBOX_KEEP_ALERTS_DAYS: { meaning: 'days for which the list of sent alerts is kept' },
  SIGNALBOX_AUDIT_FILE: { meaning: 'file to which every event is appended, see [audit](audit.md)' },
  SIGNALBOX_AUDIT_SYSLOG: {
    meaning: 'syslog server that receives every event, such as `tls://syslog.example.org:6514` or `tcp://…`',
  },
  SIGNALBOX_AUDIT_URL: { meaning: 'https:// address to which every event is posted' },
  SIGNALBOX_AUDIT_TOKEN: { meaning: 'bearer token of these posts' },
  SIGNALBOX_AUDIT_CA: {
    meaning: 'absolute path of a file with the CA certificates (PEM) of syslog server and address',
    unset: 'those of the system',
  },
  SIGNALBOX_CHOICE_ADDRESSES: {
    meaning:
      'starts of the addresses from which [surveys](../guides/surveys.md#choices-from-elsewhere) may read choices, such as `https://cmdb.example.org/api/`, separated by commas',
  },
  SIGNALBOX_CHOICE_CA: {
    meaning: 'absolute path of a file with the CA certificates (PEM) of these addresses',
    unset: 'those of the system',
  },
  SIGNALBOX_LOG_STORE: {
    meaning:
      'where [logs of ended tasks](log-store.md) are kept: `database`, a folder such as `folder:/srv/signalbox-logs`, which all servers of a database share, or a bucket such as `s3:logs/signalbox`',
  },
  SIGNALBOX_LOG_STORE_AFTER_HOURS: {
    meaning:
      'hours after the end of a task until its log is moved to the log store; `never` moves none, and reads those that were moved',
  },
  SIGNALBOX_LOG_STORE_ENDPOINT: {
    meaning: 'address of the S3-compatible store, such as `https://minio.example.org:9000`',
    unset: 'that of Amazon S3 in the region',
  },
  SIGNALBOX_LOG_STORE_REGION: { meaning: 'region of the bucket' },
  SIGNALBOX_LOG_STORE_PATH_STYLE: {
    meaning: 'whether the bucket is part of the path of addresses, and not of their host',
  },
  SIGNALBOX_LOG_STORE_ACCESS_KEY: { meaning: 'access key of the bucket' },
  SIGNALBOX_LOG_STORE_SECRET: { meaning: 'secret of the access key' },
  SIGNALBOX_LOG_STORE_SECRET_FILE: { meaning: 'file that contains this secret, instead of the setting' },
  SIGNALBOX_KEEP_EVENTS_DAYS: { meaning: 'days for which events are kept; 0 means forever' },
  SIGNALBOX_DATABASE_PASSWORD_FILE: {
    meaning: 'file that contains the password of the database, for a `DATABASE_URL` without one',
  },
  DATABASE_URL: { meaning: 'address of a PostgreSQL database', unset: 'SQLite in the data folder' },
};
