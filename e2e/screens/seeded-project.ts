import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BodyInput, RouteTable } from '@signalbox/contract';
import type { ApiClient } from '../../tooling/product/api-client.ts';
import { makeRepository } from '../../tooling/product/playbook-project.ts';
import { type Product, until } from '../../tooling/product/product.ts';
import { seedAccess } from './access.ts';
import { type People, seedPeople } from './people.ts';
import { seededPlaybooks } from './playbooks.ts';
import { seedResources } from './resources.ts';
import { seedWebhook } from './webhook.ts';

type TemplateBody = BodyInput<RouteTable['createTemplate']>;
type TaskBody = BodyInput<RouteTable['createTask']>;

/** The ids of the objects that the screens show. */
export interface SeededProject {
  /** A project with objects of every kind. */
  readonly project: number;
  /** A project without objects. */
  readonly empty: number;
  readonly view: number;
  readonly webhook: number;
  readonly templates: Readonly<
    Record<'update' | 'build' | 'staging' | 'production' | 'restore' | 'restart' | 'fresh', number>
  >;
  readonly tasks: Readonly<Record<'success' | 'failed' | 'stopped' | 'running' | 'waiting' | 'deployed', number>>;
  readonly resources: Awaited<ReturnType<typeof seedResources>>;
  readonly people: People;
  /** A shared saved filter of the history. */
  readonly filter: number;
  /** A shared saved launch of the template `update`. */
  readonly launch: number;
  /** Lets the running tasks end. */
  readonly release: () => void;
}

const FINAL: readonly string[] = ['success', 'error', 'stopped'];

/** Starts tasks of a project and waits for their end. */
const runsOf = (client: ApiClient, params: { readonly project_id: number }) => {
  const start = async (template: number, more: Partial<TaskBody> = {}): Promise<number> =>
    (await client.call('createTask', { params, body: { template_id: template, ...more } })).id;
  const reached = (id: number, statuses: readonly string[]): Promise<string> =>
    until(
      `task ${id} being ${statuses.join(' or ')}`,
      async () => {
        const { status } = await client.call('getTask', { params: { ...params, task_id: id } });
        return statuses.includes(status) ? status : undefined;
      },
      120_000,
    );
  const run = async (template: number, more: Partial<TaskBody> = {}): Promise<number> => {
    const id = await start(template, more);
    await reached(id, FINAL);
    return id;
  };
  return { start, reached, run };
};

const seedViews = async (client: ApiClient, params: { project_id: number }) => {
  const view = async (title: string) => (await client.call('createView', { params, body: { title } })).id;
  return {
    servers: await view('Anwendungsserver'),
    databases: await view('Datenbanksicherungen'),
    releases: await view('Releases'),
  };
};

/** A project after a few busy weeks: every type of template, every end of a task, and long names. */
export const seedProject = async (product: Product): Promise<SeededProject> => {
  const client = await product.client();
  const gate = join(mkdtempSync(join(tmpdir(), 'signalbox-gate-')), 'open');
  const people = await seedPeople(client);
  const empty = await client.call('createProject', { body: { name: 'Testumgebung' } });
  await client.call('createProject', { body: { name: 'Storefront' } });
  const { id: project } = await client.call('createProject', {
    body: {
      name: 'Infrastrukturbereitstellung Rechenzentrum Süd',
      max_parallel_tasks: 8,
      alert: true,
      alert_chat: '-100387214',
    },
  });
  const params = { project_id: project };
  for (const { id, role } of people.members) {
    await client.call('addProjectUser', { params, body: { user_id: id, role } });
  }
  for (const [name, kind] of [
    ['Bereitschaft', 'mattermost'],
    ['Auswertung der Bereitstellungen', 'webhook'],
  ] as const) {
    // This receiver does not exist, so the list of deliveries shows failures.
    const url = 'http://127.0.0.1:9/hook';
    await client.call('createAlertReceiver', { params, body: { name, kind, url, secret: 'unter uns' } });
  }
  const resources = await seedResources(client, project, makeRepository(seededPlaybooks(gate)));
  const views = await seedViews(client, params);
  const references = {
    inventory_id: resources.inventories.local,
    environment_id: resources.environments.full,
    repository_id: resources.repositories.local,
  };
  const template = async (name: string, playbook: string, values: Partial<TemplateBody> = {}) =>
    (await client.call('createTemplate', { params, body: { name, playbook, ...references, ...values } })).id;

  const label = async (name: string, colour: 'brick' | 'teal') =>
    (await client.call('createLabel', { params, body: { name, colour } })).id;
  const labels = [
    await label('Betriebskritisch', 'brick'),
    await label('Sicherheitsaktualisierung der Plattform', 'teal'),
  ];
  const build = await template('Build shop', 'build.yml', {
    type: 'build',
    start_version: '2.4.0',
    view_id: views.releases,
  });
  const deploy = { type: 'deploy', build_template_id: build, view_id: views.releases } as const;
  // A text without spaces that is longer than a line, like an address.
  const guide =
    'https://betriebshandbuch.rechenzentrum.example/wartung/anwendungsserver/fenster-und-ausnahmen/uebersicht';
  const templates = {
    build,
    update: await template('Betriebssystemaktualisierung aller Anwendungsserver', 'aktualisierung.yml', {
      description: 'Spielt Sicherheitsaktualisierungen ein. Nur im Wartungsfenster von 22 bis 4 Uhr ausführen.',
      view_id: views.servers,
      labels,
      arguments: '["--forks", "6"]',
      allow_override_args_in_task: true,
      survey_vars: [
        {
          name: 'wartungsfenster',
          title: 'Wartungsfenster',
          description: `Zum Beispiel 22-04, siehe ${guide}`,
          required: true,
        },
        {
          ...{ name: 'zonen', title: 'Verfügbarkeitszonen', type: 'multiple', group: 'Neustart', min: 1 },
          values: [{ value: 'fra', name: 'Frankfurt am Main' }, { value: 'ber' }, { value: 'muc', name: 'München' }],
          default_value: 'fra,muc',
        },
        {
          name: 'neustart',
          title: 'Anwendungsserver neu starten',
          type: 'bool',
          group: 'Neustart',
          default_value: 'true',
        },
        {
          ...{
            name: 'neustart_nach',
            title: 'Neustart nach Minuten',
            type: 'int',
            group: 'Neustart',
            min: 1,
            max: 240,
          },
          show_when: { variable: 'neustart', values: ['true'] },
        },
        { name: 'kennwort', title: 'Kennwort der Lastverteilung', type: 'secret', group: 'Neustart' },
        { name: 'gruppen', title: 'Hostgruppen', type: 'multiple', group: 'Neustart', source: { type: 'groups' } },
      ],
    }),
    staging: await template('Deploy shop to staging', 'deploy.yml', deploy),
    production: await template('Deploy shop to production', 'deploy.yml', deploy),
    restore: await template('Datenbanksicherungswiederherstellungsprüfung', 'wiederherstellung.yml', {
      view_id: views.databases,
    }),
    restart: await template('Rolling restart', 'neustart.yml', { view_id: views.servers }),
    fresh: await template('Zertifikatserneuerung', 'aktualisierung.yml', {
      inventory_id: resources.inventories.yaml,
      vault_key_id: resources.keys.password,
    }),
  };
  await client.call('createSchedule', {
    params,
    body: {
      ...{ template_id: templates.update, cron_format: '30 22 * * 1-5', name: 'Nächtliches Wartungsfenster' },
      launch_values: { environment: JSON.stringify({ wartungsfenster: '22-04' }) },
    },
  });
  await client.call('createSchedule', { params, body: { template_id: templates.fresh, cron_format: '@monthly' } });

  const ofUpdate = { ...params, template_id: templates.update };
  const weekly = { message: 'Wöchentlicher Neustart', environment: JSON.stringify({ neustart: false }) };
  await client.call('createSavedLaunch', { params: ofUpdate, body: { name: 'Nur Frankfurt, ohne Neustart' } });
  const shared = await client.call('createSavedLaunch', {
    params: ofUpdate,
    body: { name: 'Wöchentliche Aktualisierung aller Verfügbarkeitszonen', shared: true, launch_values: weekly },
  });

  const failed_only = { status: 'error', template_id: templates.restore } as const;
  await client.call('createSavedFilter', {
    params,
    body: { name: 'Eigene Neustarts', filter: { search: 'Neustart' } },
  });
  const filter = await client.call('createSavedFilter', {
    params,
    body: { name: 'Fehlgeschlagene Wiederherstellungsprüfungen', shared: true, filter: failed_only },
  });

  await seedAccess(client, {
    project,
    template: templates.update,
    user: people.members.find(({ role }) => role === 'guest')?.id ?? 0,
    inventory: resources.inventories.local,
  });
  await client.call('createRunner', { body: { name: 'Bereitstellungsrechner im Rechenzentrum' } });
  await product.runnerReady(client);
  const { start, reached, run } = runsOf(client, params);
  const answers = { environment: JSON.stringify({ wartungsfenster: '22-04', neustart: true, neustart_nach: 15 }) };
  const [success, builds, stopped] = await Promise.all([
    (async () => {
      await run(templates.update, answers);
      await run(templates.update, { ...answers, dry_run: true, message: 'Probelauf' });
      return run(templates.update, { ...answers, diff: true, message: 'Sicherheitsaktualisierungen im November' });
    })(),
    (async () => {
      await run(build, { message: 'Warenkorb rechnet Rabatte' });
      return run(build, { message: 'Release candidate' });
    })(),
    (async () => {
      const id = await start(templates.restart, { message: 'Versehentlich gestartet' });
      await reached(id, ['running']);
      await client.call('stopTask', { params: { ...params, task_id: id }, body: { force: true } });
      await reached(id, FINAL);
      return id;
    })(),
  ]);
  const [deployed, failed, running] = await Promise.all([
    run(templates.production, { build_task_id: builds, message: 'Herbstfreigabe' }),
    (async () => {
      await run(templates.restore);
      return run(templates.restore, { message: 'Monatliche Wiederherstellungsprüfung aller Datenbanken' });
    })(),
    start(templates.restart, { message: 'Neue Speicherbegrenzung' }),
  ]);
  await reached(running, ['running']);
  const waiting = await start(templates.restart, { message: 'Danach noch einmal' });
  return {
    project,
    empty: empty.id,
    view: views.servers,
    filter: filter.id,
    webhook: await seedWebhook(client, params, templates.staging),
    templates,
    tasks: { success, failed, stopped, running, waiting, deployed },
    resources,
    people,
    launch: shared.id,
    release: () => {
      if (!existsSync(gate)) writeFileSync(gate, '');
    },
  };
};
