import type { BodyInput, Inventory, InventoryType, RouteTable } from '@signalbox/contract';

export const INVENTORY_TYPES = [
  { type: 'static', labelKey: 'inventory.type.static' },
  { type: 'static-yaml', labelKey: 'inventory.type.yaml' },
  { type: 'file', labelKey: 'inventory.type.file' },
] as const satisfies readonly { type: InventoryType; labelKey: string }[];

export const inventoryTypeLabel = (type: InventoryType): string =>
  INVENTORY_TYPES.find((one) => one.type === type)?.labelKey ?? 'inventory.type.static';

/** Values of the form. Ids are texts, as select inputs need them. */
export type InventoryValues = {
  name: string;
  type: InventoryType;
  inventory: string;
  ssh_key_id: string | null;
  become_key_id: string | null;
  runner_tags: string[];
};

const idText = (id: number | null | undefined): string | null => (id == null ? null : String(id));

export const newInventoryValues = (item: Inventory | undefined): InventoryValues => ({
  name: item?.name ?? '',
  type: item?.type ?? 'static',
  inventory: item?.inventory ?? '',
  ssh_key_id: idText(item?.ssh_key_id),
  become_key_id: idText(item?.become_key_id),
  runner_tags: item?.runner_tags ?? [],
});

/** Catalogue keys of the errors, by field. */
export const inventoryProblems = (values: InventoryValues): Record<string, string | undefined> => ({
  name: values.name.trim() === '' ? 'form.nameRequired' : undefined,
  ssh_key_id: values.ssh_key_id === null ? 'inventory.credentialsRequired' : undefined,
  inventory: values.type === 'file' && values.inventory.trim() === '' ? 'inventory.pathRequired' : undefined,
});

/** The body of the request for valid values. */
export const inventoryBody = (values: InventoryValues): BodyInput<RouteTable['createInventory']> => ({
  name: values.name.trim(),
  type: values.type,
  inventory: values.type === 'file' ? values.inventory.trim() : values.inventory,
  ssh_key_id: Number(values.ssh_key_id),
  become_key_id: values.become_key_id === null ? null : Number(values.become_key_id),
  runner_tags: values.runner_tags,
});

/** An example for each type of inventory text. */
export const INVENTORY_EXAMPLES = {
  static: '[web]\nweb-01.example.org\nweb-02.example.org ansible_port=2222\n\n[web:vars]\nansible_user=deploy\n',
  'static-yaml':
    'all:\n  children:\n    web:\n      hosts:\n        web-01.example.org:\n        web-02.example.org:\n          ansible_port: 2222\n',
} as const;
