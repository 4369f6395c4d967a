import type { Settings } from './config.ts';

interface Words {
  readonly meaning: string;
  /** The effective value when the setting is not set and has no literal default. */
  readonly unset?: string;
}

/** The description of each setting for the settings page. A missing setting does not compile. */
export const SETTING_WORDS: Readonly<Record<keyof typeof Settings.shape, Words>> = {
  SIGNALBOX_PORT: { meaning: 'port of the console and the API' },
  SIGNALBOX_HOST: { meaning: 'address to listen on' },
  SIGNALBOX_DATA: { meaning: 'folder of everything that is kept' },
  SIGNALBOX_COMMAND: {
    meaning:
      'how commands are entered on this installation, such as `docker compose exec server signalbox`; the sign-in page shows it, so it must not contain a secret',
    unset: 'the full path with the settings of the server, secrets as names of variables',
  },
  SIGNALBOX_URL: {
    meaning: 'public address, may have a path; also decides which origin may write',
    unset: 'the Host that is asked',
  },
  SIGNALBOX_ADMIN: { meaning: 'login of the first user' },
  SIGNALBOX_ADMIN_PASSWORD: { meaning: 'password of the first user', unset: 'a made-up one, printed once' },
  SIGNALBOX_ADMIN_EMAIL: { meaning: 'e-mail address of the first user' },
  SIGNALBOX_ENCRYPTION_KEY: {
    meaning: '32 bytes in base64 that encrypt all stored secrets',
    unset: 'a 0600 file in the data folder',
  },
  SIGNALBOX_OTHER_ENCRYPTION_KEYS: {
    meaning: 'keys, separated by commas, that open what they sealed, while [the key is changed](command-line.md)',
  },
  SIGNALBOX_LOCAL_REPOSITORY_ROOTS: {
    meaning: 'folders, separated by colons, from which local repositories and inventories may be used',
  },
  SIGNALBOX_HTTP_REPOSITORIES: {
    meaning: '1 allows repositories with http:// addresses; playbooks and passwords are then sent unencrypted',
  },
  SIGNALBOX_MAX_PARALLEL_TASKS: { meaning: 'tasks at once in the whole system; 0 means no limit' },
  SIGNALBOX_RUNNER_SLOTS: { meaning: 'tasks at once on this machine; 0 starts no runner here' },
  SIGNALBOX_NEW_RUNNER_TOKEN_FILE: {
    meaning:
      'file to which the server writes, at its start, the token of a runner in another container or unit next to it; a file with a valid token is kept',
  },
  SIGNALBOX_OUTPUT_LIMIT: {
    meaning:
      "most bytes of one task's log; a last line says that the rest was not kept, and the playbook goes on. From as many bytes of results on, what hosts said is left out of them, and from twice as many on, results themselves",
  },
  SIGNALBOX_CACHE_MAX_DAYS: {
    meaning:
      'days after their last use that a runner keeps mirrors of repositories and installed requirements; 0 means for ever',
  },
  SIGNALBOX_CACHE_MAX_MB: {
    meaning: 'megabytes of them that a runner keeps, the least recently used go first; 0 means no limit',
  },
  SIGNALBOX_LOST_AFTER_SECONDS: { meaning: 'seconds after which a [silent runner](failures.md) has lost its tasks' },
  SIGNALBOX_RUN_AS: {
    meaning: 'user as whom tasks are executed on this machine, see [separation](separation.md)',
    unset: "the server's own user",
  },
  SIGNALBOX_KEEP_TASKS_DAYS: { meaning: 'days that ended tasks are kept; 0 means for ever' },
  SIGNALBOX_KEEP_LOGS_DAYS: { meaning: 'days that the logs of ended tasks are kept; 0 means for ever' },
  SIGNALBOX_KEEP_TASKS_PER_TEMPLATE: {
    meaning:
      'so many of the newest ended tasks of each template are kept with their logs, whatever their age; at least 1',
  },
  SIGNALBOX_HOST_KEYS: {
    meaning:
      'what the runner here does with a [host key](access.md) that it sees for the first time: `accept-new` keeps it, `strict` refuses it',
  },
  SIGNALBOX_TRUSTED_PROXIES: {
    meaning: "addresses of proxies, separated by commas, whose word on the client's address counts",
  },
  SIGNALBOX_TIMEZONE: { meaning: 'time zone of [schedules](schedules.md)' },
  SIGNALBOX_LOGIN_WITH_PASSWORD: {
    meaning: 'whether people may sign in with a password; `false` needs a [provider](single-sign-on.md)',
  },
  SIGNALBOX_SECOND_FACTOR: {
    meaning:
      'whether users with a password of this server may (`optional`), must (`required`) or cannot (`off`) have a [second factor](second-factor.md)',
  },
  SIGNALBOX_OIDC_PROVIDERS: {
    meaning: '[providers](single-sign-on.md#providers) to sign in with; only in the file, as `oidc_providers`',
  },
  SIGNALBOX_LDAP_SERVERS: {
    meaning: '[directories](single-sign-on.md#directories) that know passwords; only in the file, as `ldap_servers`',
  },
  SIGNALBOX_LOG_LEVEL: { meaning: '`fatal`, `error`, `warn`, `info`, `debug` or `silent`' },
  SIGNALBOX_SMTP_HOST: { meaning: 'mail server of [alerts](alerts.md); without it no mail is sent' },
  SIGNALBOX_SMTP_PORT: { meaning: 'its port', unset: '`587`, or `465` for `tls`' },
  SIGNALBOX_SMTP_SECURITY: {
    meaning:
      '`starttls` says nothing before the connection is encrypted, `tls` encrypts from the first byte, `none` never: for a server on this machine',
  },
  SIGNALBOX_SMTP_USER: { meaning: 'login there' },
  SIGNALBOX_SMTP_PASSWORD: { meaning: 'password there; required with a user' },
  SIGNALBOX_SMTP_FROM: { meaning: 'sender, such as `Signalbox <box@example.org>`', unset: 'required with a host' },
  SIGNALBOX_SMTP_CA: {
    meaning: 'absolute path of certificates in PEM that are trusted instead',
    unset: 'the usual authorities',
  },
  SIGNALBOX_TELEGRAM_TOKEN: { meaning: 'token of the bot that writes to chats' },
  SIGNALBOX_TELEGRAM_URL: { meaning: "where the bot's interface is" },
  SIGNALBOX_ALERT_NETWORKS: {
    meaning:
      'networks beside the public internet that receivers may be in: `loopback`, `linklocal`, `uniquelocal`, or networks such as `10.0.0.0/8`, separated by commas; `none` for the public internet alone',
  },
  SIGNALBOX_KEEP_ALERTS_DAYS: { meaning: 'days that the log of sent alerts is kept' },
  SIGNALBOX_DATABASE_PASSWORD_FILE: {
    meaning: 'file that contains the password of the database, for a `DATABASE_URL` without one',
  },
  DATABASE_URL: { meaning: 'address of a PostgreSQL database', unset: 'SQLite in the data folder' },
};
