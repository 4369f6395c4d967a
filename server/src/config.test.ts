import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

const file = (text: string): string => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-config-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'signalbox.yml'), text);
  return join(folder, 'signalbox.yml');
};

const failure = (environment: Record<string, string>): string => {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error('These settings were taken.');
};

describe('the settings', () => {
  it('are all optional', () => {
    expect(readConfig({})).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      dataFolder: join(process.cwd(), 'data'),
      publicUrl: undefined,
      pathPrefix: '',
      admin: { login: 'admin', password: undefined, email: 'admin@localhost' },
      timezone: 'UTC',
      maxParallelTasks: 0,
      databaseUrl: undefined,
      hostKeys: 'accept-new',
    });
  });

  it('limit the size of a log in bytes, from the environment or the file', () => {
    expect(readConfig({}).outputLimit).toBe(1024 ** 3);
    expect(readConfig({ SIGNALBOX_OUTPUT_LIMIT: '5000000000' }).outputLimit).toBe(5_000_000_000);
    expect(readConfig({ SIGNALBOX_CONFIG: file('output_limit: 2000') }).outputLimit).toBe(2000);
    for (const wrong of ['999', '1e6', '-1', '1.5', 'none'])
      expect(failure({ SIGNALBOX_OUTPUT_LIMIT: wrong })).toContain('SIGNALBOX_OUTPUT_LIMIT: must be a number of bytes');
  });

  it('read the password of the database from a file', () => {
    const read = (url: string, path: string) =>
      ({ DATABASE_URL: url, SIGNALBOX_DATABASE_PASSWORD_FILE: path }) as const;
    const secret = file('a b/c@100%\n');
    expect(readConfig(read('postgres://box@db:5432/box', secret)).databaseUrl).toBe(
      'postgres://box:a%20b%2Fc%40100%25@db:5432/box',
    );
    expect(readConfig(read('postgresql://box@/box?host=/run', secret)).databaseUrl).toContain('//box:a%20b%2Fc%40');
    const name = 'SIGNALBOX_DATABASE_PASSWORD_FILE: ';
    for (const url of ['', 'postgres://db/box', 'postgres://box:known@db/box', 'postgres://db/box?user=a@b'])
      expect(failure(read(url, secret)), url).toContain(
        `${name}needs a DATABASE_URL with a user and without a password`,
      );
    expect(failure(read('postgres://box@db/box', `${secret}.not`))).toContain(`${name}cannot be read (ENOENT`);
    expect(failure(read('postgres://box@db/box', file(' \n')))).toContain(`${name}names the empty file /`);
    expect(failure(read('postgres://box@db/box', 'secret'))).toContain(`${name}must be an absolute path`);
  });

  it('accept two policies for SSH host keys', () => {
    expect(readConfig({ SIGNALBOX_HOST_KEYS: 'strict' }).hostKeys).toBe('strict');
    expect(failure({ SIGNALBOX_HOST_KEYS: 'no' })).toContain('SIGNALBOX_HOST_KEYS: ');
  });

  it.each([
    [{ DATABASE_URL: 'postgres://box:100%@db/box' }, 'DATABASE_URL: must be an address; in a name or password, write'],
    [{ DATABASE_URL: 'postgres://db:99999/box' }, 'DATABASE_URL: must be an address; '],
    [{ DATABASE_URL: 'postgres://box:a@[::1' }, 'DATABASE_URL: must be an address; '],
    [{ SIGNALBOX_OTHER_ENCRYPTION_KEYS: 'x' }, 'SIGNALBOX_OTHER_ENCRYPTION_KEYS: is of use only with'],
    [{ SIGNALBOX_URL: 'box.example' }, 'SIGNALBOX_URL: must be an address that starts with http:// or https://'],
    [{ SIGNALBOX_ADMIN: ' ' }, 'SIGNALBOX_ADMIN: must be a username'],
    [{ SIGNALBOX_ADMIN_EMAIL: 'root' }, 'SIGNALBOX_ADMIN_EMAIL: must be an email address'],
  ])('are rejected before the start when they contradict each other: %j', (environment, text) => {
    expect(failure(environment as Record<string, string>)).toContain(text);
  });

  it('accept every form of a database address', () => {
    for (const url of [
      'postgres://box:p%40ss%25@db.example:5433/box?sslmode=require',
      'postgresql://box@/box?host=/var/run/postgresql',
      'postgres://%2Fvar%2Frun%2Fpostgresql/box',
      'postgres:///box',
      'postgres://box:a b@[::1]:5432/box',
    ])
      expect(readConfig({ DATABASE_URL: url }).databaseUrl).toBe(url);
  });

  it('treat an empty value as not set', () => {
    expect(readConfig({ SIGNALBOX_PORT: '', SIGNALBOX_URL: '', DATABASE_URL: '' })).toMatchObject({
      port: 3000,
      publicUrl: undefined,
      databaseUrl: undefined,
    });
  });

  it('report every error in one message, without values of secrets', () => {
    const message = failure({
      SIGNALBOX_PORT: '70000',
      SIGNALBOX_TIMEZONE: 'Mars/Olympus',
      SIGNALBOX_URL: 'ftp://signalbox.example',
      SIGNALBOX_TRUSTED_PROXIES: '10.0.0.0/8, nonsense',
      SIGNALBOX_LOCAL_REPOSITORY_ROOTS: 'relative',
      DATABASE_URL: 'mysql://root:canary@localhost/x',
    });
    for (const name of ['PORT', 'TIMEZONE', 'URL', 'TRUSTED_PROXIES', 'LOCAL_REPOSITORY_ROOTS']) {
      expect(message).toContain(`SIGNALBOX_${name}: `);
    }
    expect(message).toContain('DATABASE_URL: must start with postgres://');
    expect(message).not.toContain('canary');
  });

  it.each(['0x50', '1e3', ' ', '-1', '80.5', 'http'])('reject the port %j instead of guessing', (port) => {
    expect(failure({ SIGNALBOX_PORT: port })).toContain('SIGNALBOX_PORT: must be a whole number from 0 to 65535');
  });

  it('are read from a YAML file, and the environment takes precedence', () => {
    const config = file(
      [
        'port: 8080',
        'host: 0.0.0.0',
        'url: https://signalbox.example/box/',
        'local_repository_roots: [/srv/a, /srv/b]',
        'trusted_proxies: [10.0.0.0/8, loopback]',
        'container_networks: [none, host]',
        'container_run_arguments: [--ulimit, nofile=1024]',
        'database_url: postgres://db/x',
        'timezone: null',
      ].join('\n'),
    );
    expect(readConfig({ SIGNALBOX_CONFIG: config, SIGNALBOX_PORT: '9090' })).toMatchObject({
      port: 9090,
      host: '0.0.0.0',
      publicUrl: 'https://signalbox.example/box',
      pathPrefix: '/box',
      localRepositoryRoots: ['/srv/a', '/srv/b'],
      trustedProxies: ['10.0.0.0/8', 'loopback'],
      containerEnvironment: {
        SIGNALBOX_CONTAINER_NETWORKS: 'none,host',
        SIGNALBOX_CONTAINER_RUN_ARGUMENTS: '--ulimit nofile=1024',
      },
      databaseUrl: 'postgres://db/x',
      timezone: 'UTC',
    });
  });

  it('are rejected when the file has unknown names, is not YAML, has a wrong structure, or is missing', () => {
    expect(failure({ SIGNALBOX_CONFIG: file('prot: 80\nport: x') })).toMatch(
      /prot: is no setting\n.*SIGNALBOX_PORT: must be/,
    );
    expect(failure({ SIGNALBOX_CONFIG: file('port: [') })).toContain('cannot be read as YAML');
    expect(failure({ SIGNALBOX_CONFIG: file('just a text') })).toContain('must hold settings as name: value');
    expect(failure({ SIGNALBOX_CONFIG: '/nowhere/signalbox.yml' })).toContain('/nowhere/signalbox.yml cannot be read');
  });

  it.each([
    ['https://a.example', ''],
    ['https://a.example/', ''],
    ['http://a.example:8080/x/y//', '/x/y'],
  ])('turn the address %s into the path %j', (url, prefix) => {
    expect(readConfig({ SIGNALBOX_URL: url }).pathPrefix).toBe(prefix);
  });

  it.each([
    'https://a.example/?x',
    'https://a.example/#x',
    'https://u:p@a.example/',
    'https://a.example/x;y',
    'a.example',
  ])('reject the address %s', (url) => {
    expect(failure({ SIGNALBOX_URL: url })).toContain('SIGNALBOX_URL: ');
  });

  it('pass only the necessary environment variables to a runner', () => {
    const { runnerEnvironment } = readConfig({
      PATH: '/bin',
      HOME: '/root',
      DATABASE_URL: 'postgres://x/y',
      SECRET: 'x',
    });
    expect(runnerEnvironment).toEqual({ PATH: '/bin', HOME: '/root' });
  });
});
