import { NewTemplate } from '@signalbox/contract';
import { DEMO_REPOSITORY_URL } from '@signalbox/contract/link';
import type { Actor } from '../audit/record-event.ts';
import type { StateTransaction } from '../database/database.ts';
import type { DecryptedKey } from '../secrets/key-secret.ts';
import { readDemo } from './demo-description.ts';

interface Stored {
  readonly id: number;
}

/** Inserts the objects of the demo. The API uses the same functions. */
export interface DemoStores {
  key(
    tx: StateTransaction,
    projectId: number,
    name: string,
    secret: DecryptedKey,
    actor: Actor,
    now: Date,
  ): Promise<Stored>;
  repository(
    tx: StateTransaction,
    projectId: number,
    input: { name: string; git_url: string; git_branch: string; ssh_key_id: number },
    actor: Actor,
    now: Date,
  ): Promise<Stored>;
  inventory(
    tx: StateTransaction,
    projectId: number,
    input: {
      name: string;
      type: 'static' | 'static-yaml' | 'file';
      inventory: string;
      ssh_key_id: number;
      become_key_id: null;
      runner_tags: string[];
    },
    actor: Actor,
    now: Date,
  ): Promise<Stored>;
  environment(
    tx: StateTransaction,
    projectId: number,
    input: { name: string; json: string; env: string },
    actor: Actor,
    now: Date,
  ): Promise<Stored>;
  view(
    tx: StateTransaction,
    projectId: number,
    view: { title: string; position: number },
    actor: Actor,
    now: Date,
  ): Promise<Stored>;
  template(
    tx: StateTransaction,
    projectId: number,
    input: ReturnType<typeof NewTemplate.parse> & { readonly environment_id: number },
    actor: Actor,
    now: Date,
  ): Promise<Stored>;
}

const idOf = (ids: ReadonlyMap<string, number>, name: string): number => {
  const id = ids.get(name);
  if (id === undefined) throw new Error(`The demo names ${name}, which it does not describe before.`);
  return id;
};

/** Creates the function that fills a new project with demo keys, repository, inventories, views and templates. */
export const demoFiller =
  (stores: DemoStores, now: () => Date) =>
  async (tx: StateTransaction, projectId: number, actor: Actor): Promise<void> => {
    const demo = readDemo();
    const at = now();
    const none = await stores.key(tx, projectId, 'None', { type: 'none' }, actor, at);
    const password: DecryptedKey = { type: 'login_password', login: '', password: demo.vault.password };
    const vault = await stores.key(tx, projectId, demo.vault.name, password, actor, at);
    const { name, branch } = demo.repository;
    const source = { name, git_url: DEMO_REPOSITORY_URL, git_branch: branch, ssh_key_id: none.id };
    const repository = await stores.repository(tx, projectId, source, actor, at);
    const environment = await stores.environment(tx, projectId, demo.environment, actor, at);

    const inventories = new Map<string, number>();
    for (const { name: title, type, text } of demo.inventories) {
      const input = { name: title, type, inventory: text, ssh_key_id: none.id, become_key_id: null, runner_tags: [] };
      inventories.set(title, (await stores.inventory(tx, projectId, input, actor, at)).id);
    }
    const views = new Map<string, number>();
    for (const [position, title] of demo.views.entries()) {
      views.set(title, (await stores.view(tx, projectId, { title, position }, actor, at)).id);
    }
    const templates = new Map<string, number>();
    for (const template of demo.templates) {
      const parsed = NewTemplate.parse({
        ...template,
        inventory_id: idOf(inventories, template.inventory),
        repository_id: repository.id,
        vault_key_id: vault.id,
        view_id: idOf(views, template.view),
        build_template_id: template.builds === undefined ? null : idOf(templates, template.builds),
      });
      const input = { ...parsed, environment_id: environment.id };
      templates.set(template.name, (await stores.template(tx, projectId, input, actor, at)).id);
    }
  };
