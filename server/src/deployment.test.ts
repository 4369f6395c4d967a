import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import dockerignore from '@balena/dockerignore';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { settingsTable } from './settings/settings-table.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Names of settings in the server's schema and on the runner's page. */
const KNOWN = new Set(
  [settingsTable(), read('runner/README.md')].flatMap(
    (text) => text.match(/\b(?:SIGNALBOX_[A-Z_]+|DATABASE_URL)\b/g) ?? [],
  ),
);
const FILES = [
  'Dockerfile',
  'caddy.conf',
  'compose.yaml',
  'nginx.conf',
  'signalbox-runner-separated.service',
  'signalbox-runner.service',
  'signalbox.service',
];

interface Service {
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly depends_on?: Readonly<Record<string, unknown>>;
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
}
interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

describe('the deployment examples', () => {
  it.each(FILES)('%s names only existing settings', (file) => {
    const named = read(`deploy/${file}`).match(/\b(?:SIGNALBOX_[A-Z_]+|DATABASE_URL)\b/g) ?? [];
    expect(named.filter((name) => !KNOWN.has(name))).toEqual([]);
  });

  it('have a compose file whose services find everything that they refer to', () => {
    const { services, volumes } = parse(read('deploy/compose.yaml'), { strict: true }) as Compose;
    expect(Object.keys(services)).toEqual(['setup', 'database', 'server', 'runner']);
    for (const [name, service] of Object.entries(services)) {
      for (const other of Object.keys(service.depends_on ?? {})) expect(services, name).toHaveProperty(other);
      // A mounted file keeps the owner and mode of the host, so the user of the image could not read it.
      expect(service, name).not.toHaveProperty('secrets');
      for (const volume of service.volumes ?? []) expect(volumes, name).toHaveProperty(volume.split(':')[0] ?? '');
      // Unencrypted ports are open to this machine only.
      for (const port of service.ports ?? []) expect(port, name).toMatch(/^127\.0\.0\.1:/);
      if (service.build) expect(existsSync(join(ROOT, service.build.dockerfile)), name).toBe(true);
    }
  });

  it.each(['server', 'runner'])(
    'have a systemd unit that starts the %s as its own user and lets playbooks survive',
    (role) => {
      const unit = read(`deploy/signalbox${role === 'server' ? '' : '-runner'}.service`);
      const [, program = '', command] = /^ExecStart=\/opt\/signalbox\/(\S+) (\w+)$/m.exec(unit) ?? [];
      expect(existsSync(join(ROOT, program)), program).toBe(true);
      expect(command).toBe(role);
      expect(unit).toMatch(/^User=(?!root)\w/m);
      const [, page = ''] = /^Documentation=file:\/opt\/signalbox\/(\S+)$/m.exec(unit) ?? [];
      expect(existsSync(join(ROOT, page)), page).toBe(true);
    },
  );

  it('have a systemd unit of a registered runner that lets its tasks survive, and takes privileges away', () => {
    const unit = read('deploy/signalbox-runner.service');
    // A registered runner finds its server and its token in its data folder.
    expect(unit).not.toMatch(/^Environment=SIGNALBOX_(SERVER|RUNNER_TOKEN_FILE)=/m);
    expect(unit).toMatch(/^EnvironmentFile=-/m);
    expect(unit).toMatch(/^KillMode=process$/m);
    expect(unit).not.toMatch(/^PrivateTmp=/m);
    for (const setting of ['NoNewPrivileges=yes', 'CapabilityBoundingSet=', 'RestrictSUIDSGID=yes'])
      expect(unit.split('\n')).toContain(setting);
  });

  it('have an image of a runner, which starts it and has no health check of the server', () => {
    const stages = read('deploy/Dockerfile').split(/^FROM /m);
    const runner = stages.find((stage) => stage.startsWith('product AS runner')) ?? '';
    expect(runner).toContain('CMD ["runner"]');
    expect(runner).not.toContain('HEALTHCHECK');
    expect(stages.at(-1)).toContain('CMD ["server"]');
    expect(stages.at(-1)).toContain('HEALTHCHECK');
  });

  it("have a systemd unit whose runner executes tasks as a user other than root and the server's", () => {
    const unit = read('deploy/signalbox-runner-separated.service');
    const server = /^User=(\w+)$/m.exec(read('deploy/signalbox.service'))?.[1];
    const user = /^Environment=SIGNALBOX_RUN_AS=([\w-]+)$/m.exec(unit)?.[1];
    expect(unit).toMatch(/^User=root$/m);
    expect(user).toBeDefined();
    expect([server, 'root']).not.toContain(user);
    expect(unit).toMatch(/^StateDirectoryMode=0711$/m);
    expect(unit).not.toMatch(/^(NoNewPrivileges|RestrictSUIDSGID|CapabilityBoundingSet|PrivateTmp)=/m);
    expect(read('deploy/signalbox.service')).not.toMatch(/^Environment=SIGNALBOX_RUN_AS=/m);
  });

  it('have a compose file that needs no file of the host and hides secrets from tasks', () => {
    const { services } = parse(read('deploy/compose.yaml'), { strict: true }) as Compose;
    const { server, runner } = services;
    const folderOf = (service: Service | undefined, volume: string) =>
      service?.volumes?.find((one) => one.startsWith(`${volume}:`))?.split(':')[1];
    const token = server?.environment?.SIGNALBOX_NEW_RUNNER_TOKEN_FILE ?? '';
    expect(token).toBe(runner?.environment?.SIGNALBOX_RUNNER_TOKEN_FILE);
    expect([folderOf(server, 'tokens'), folderOf(runner, 'tokens')]).toEqual([dirname(token), dirname(token)]);
    expect(folderOf(runner, 'secrets')).toBeUndefined();
    const password = server?.environment?.SIGNALBOX_DATABASE_PASSWORD_FILE ?? '';
    expect(password).toBe(services.database?.environment?.POSTGRES_PASSWORD_FILE);
    expect([folderOf(server, 'secrets'), folderOf(services.setup, 'secrets')]).toEqual([
      dirname(password),
      dirname(password),
    ]);
    expect(server?.environment?.SIGNALBOX_TRUSTED_PROXIES).toMatch(/^[\d.]+$/);
    // The image creates the folders of new volumes as its own user.
    for (const folder of ['/data', '/secrets', '/tokens'])
      expect(read('deploy/Dockerfile')).toMatch(new RegExp(`--owner signalbox .*${folder}\\b`));
  });

  it('create the password of the database once, readable by its user only', () => {
    const folder = mkdtempSync(join(tmpdir(), 'signalbox-secrets-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const make = () => execFileSync('sh', [join(ROOT, 'deploy/make-secrets.sh'), folder]);
    const file = join(folder, 'database.password');
    make();
    const password = readFileSync(file, 'utf8');
    expect(password).toMatch(/^[0-9a-f]{64}$/);
    expect(readdirSync(folder)).toEqual(['database.password']);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    make();
    expect(readFileSync(file, 'utf8')).toBe(password);
  });

  describe('the files of the image and of git', () => {
    const isCopied = dockerignore.default().add(read('.dockerignore')).createFilter();
    const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');

    it('keep secrets of any folder out of the image', () => {
      const names = [
        'server.env',
        '.env',
        '.env.local',
        'encryption.key',
        'runner.token',
        'pgpass',
        'database.password',
      ];
      const more = ['cert.pem', 'id_ed25519', 'signalbox.db', 'database.sqlite', 'backup.signalbox', 'data/x.json'];
      const folders = [
        '',
        'bin/',
        'contract/',
        'contract/src/',
        'demo/',
        'demo/group_vars/',
        'deploy/',
        'lang/',
        'runner/',
      ];
      const others = ['runner/src/', 'server/', 'server/src/features/', 'tooling/', 'web/', 'web/src/', 'web/public/'];
      const secrets = [...folders, ...others].flatMap((folder) => [...names, ...more].map((name) => folder + name));
      expect(secrets.filter(isCopied)).toEqual([]);
      expect(
        ['server/notes.json', 'docs/x.ts', 'e2e/x.ts', 'node_modules/x.js', '.git/config'].filter(isCopied),
      ).toEqual([]);
    });

    it('copy every file of the product into the image', () => {
      const tracked = git(
        'ls-files',
        'bin/*.mjs',
        'contract',
        'demo',
        'lang',
        'runner',
        'server',
        ':(glob)tooling/*.mjs',
        'web',
      );
      const parts = tracked.filter(
        (path) =>
          !/\.test\.tsx?$|^(runner|web)\/README\.md$|^server\/settings\/|^server\/src\/failures\/corpus\/|\/vitest\./.test(
            path,
          ),
      );
      expect(parts.length).toBeGreaterThan(500);
      expect(parts.filter((path) => !isCopied(path))).toEqual([]);
      // A builder skips a folder whose own name is excluded.
      const folders = new Set(parts.map((path) => dirname(path)).filter((path) => path.split('/').length > 2));
      expect([...folders].filter((path) => !isCopied(path))).toEqual([]);
    });

    it('keep secrets out of git', () => {
      const secrets = ['deploy/server.env', 'deploy/runner.token', 'deploy/database.password', 'server/x.token'];
      const paths = [...secrets, 'deploy/pgpass', '.env', '.env.local', 'encryption.key'];
      expect(git('check-ignore', '--no-index', ...paths)).toEqual(paths);
    });
  });
});
