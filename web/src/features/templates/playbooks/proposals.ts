import type { BodyInput, RepositoryScan, RouteTable, Template } from '@signalbox/contract';

/** A playbook of a repository that can become a template. */
export interface Proposal {
  readonly path: string;
  readonly plays: readonly string[];
  /** The name of the new template, unless the user enters another one. */
  readonly name: string;
  /** The templates that run the playbook already. */
  readonly usedBy: readonly Pick<Template, 'id' | 'name'>[];
}

/** `deploy/web_servers.yml` becomes `Web servers`. */
const titleOf = (path: string): string => {
  const title = path
    .replace(/^.*\//, '')
    .replace(/\.ya?ml$/, '')
    .replace(/[-_]+/g, ' ')
    .trim();
  return title === '' ? path : title.charAt(0).toUpperCase() + title.slice(1);
};

/** The playbooks with a name for each: that of the only play, or of the file. Names that are not unique are paths. */
export const proposalsOf = (
  { playbooks }: Pick<RepositoryScan, 'playbooks'>,
  templates: readonly Pick<Template, 'id' | 'name' | 'repository_id' | 'playbook'>[],
  repository: number,
): Proposal[] => {
  const named = playbooks.map(({ path, plays }) => ({
    path,
    plays,
    name: plays.length === 1 && plays[0] !== undefined ? plays[0] : titleOf(path),
    usedBy: templates.filter(({ repository_id, playbook }) => repository_id === repository && playbook === path),
  }));
  const uses = new Map<string, number>();
  for (const { name } of [...named, ...templates]) uses.set(name, (uses.get(name) ?? 0) + 1);
  return named.map((proposal) =>
    (uses.get(proposal.name) ?? 0) > 1 ? { ...proposal, name: proposal.path } : proposal,
  );
};

/** Maximum number of playbooks that are chosen when the page opens. */
const MAX_PRESELECTED = 10;

/** The playbooks that are chosen when the page opens: all without a template, if they are few. */
export const initiallyChosen = (proposals: readonly Proposal[]): readonly string[] => {
  const unused = proposals.filter(({ usedBy }) => usedBy.length === 0);
  return unused.length > MAX_PRESELECTED ? [] : unused.map(({ path }) => path);
};

/** Prefix of the value of an option that stands for a file in the repository. */
const FILE = 'file:';

/** The inventory files that no inventory of the project names, as options. */
export const fileOptions = (
  files: readonly string[],
  inventories: readonly { readonly type: string; readonly inventory: string }[],
): { value: string; path: string }[] =>
  files
    .filter((path) => !inventories.some(({ type, inventory }) => type === 'file' && inventory === path))
    .map((path) => ({ value: `${FILE}${path}`, path }));

/** The path of the file that an option stands for; undefined for an inventory of the project. */
export const fileOf = (value: string | null): string | undefined =>
  value?.startsWith(FILE) ? value.slice(FILE.length) : undefined;

/** What the new templates have in common. Ids are texts, as select inputs need them. */
export interface TargetValues {
  /** An inventory, or a file in the repository. */
  readonly inventory: string | null;
  /** The key of the hosts, for a file that becomes an inventory. */
  readonly key: string | null;
  readonly environment: string | null;
}

/** The end of a long path is its name. */
const MAX_INVENTORY_NAME = 100;

/** The new inventory that a chosen file becomes. */
export const inventoryBody = (path: string, key: string): BodyInput<RouteTable['createInventory']> => ({
  ...{ name: path.slice(-MAX_INVENTORY_NAME), type: 'file', inventory: path, ssh_key_id: Number(key) },
});

/** A new template. Without an environment it gets an empty one. */
export const templateBody = (
  { path, name }: { path: string; name: string },
  ids: { repository: number; inventory: number; environment: string | null },
): BodyInput<RouteTable['createTemplate']> => ({
  ...{ name: name.trim(), playbook: path, app: 'ansible' },
  ...{ repository_id: ids.repository, inventory_id: ids.inventory },
  environment_id: ids.environment === null ? null : Number(ids.environment),
});
