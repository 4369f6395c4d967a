import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { settingsTable } from './settings-table.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Names of settings as the server's schema and the runner's page have them. */
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
  readonly secrets?: readonly string[];
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
}
interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly secrets: Readonly<Record<string, unknown>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

describe('the examples for putting it into service', () => {
  it.each(FILES)('%s names only settings that exist', (file) => {
    const named = read(`deploy/${file}`).match(/\b(?:SIGNALBOX_[A-Z_]+|DATABASE_URL)\b/g) ?? [];
    expect(named.filter((name) => !KNOWN.has(name))).toEqual([]);
  });

  it('has a compose file whose services find all that they name', () => {
    const { services, secrets, volumes } = parse(read('deploy/compose.yaml'), { strict: true }) as Compose;
    expect(Object.keys(services)).toEqual(['database', 'server', 'runner']);
    for (const [name, service] of Object.entries(services)) {
      for (const other of Object.keys(service.depends_on ?? {})) expect(services, name).toHaveProperty(other);
      for (const secret of service.secrets ?? []) expect(secrets, name).toHaveProperty(secret);
      for (const volume of service.volumes ?? []) expect(volumes, name).toHaveProperty(volume.split(':')[0] ?? '');
      // What is not encrypted is open to this machine alone.
      for (const port of service.ports ?? []) expect(port, name).toMatch(/^127\.0\.0\.1:/);
      if (service.build) expect(existsSync(join(ROOT, service.build.dockerfile)), name).toBe(true);
    }
  });

  it.each(['server', 'runner'])('has a unit that starts the %s as its own user, and lets playbooks live', (role) => {
    const unit = read(`deploy/signalbox${role === 'server' ? '' : '-runner'}.service`);
    const [, program = '', command] = /^ExecStart=\/opt\/signalbox\/(\S+) (\w+)$/m.exec(unit) ?? [];
    expect(existsSync(join(ROOT, program)), program).toBe(true);
    expect(command).toBe(role);
    expect(unit).toMatch(/^User=(?!root)\w/m);
    const [, page = ''] = /^Documentation=file:\/opt\/signalbox\/(\S+)$/m.exec(unit) ?? [];
    expect(existsSync(join(ROOT, page)), page).toBe(true);
  });

  it('has a unit whose runner may execute tasks as a user that is neither root nor the server', () => {
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
});
