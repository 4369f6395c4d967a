import type { Inventory } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { inventoryQuery, keysQuery } from '../../api/queries.ts';
import { InventoryForm } from './inventory-form.tsx';
import { inventoryTypeLabel } from './inventory-values.ts';
import type { ResourceTraits } from './resource-page.tsx';

/** The names of a project's keys by id; empty while they load. */
export const useKeyNames = (project: number): ((id: number | null) => string) => {
  const { data } = useQuery(keysQuery(project));
  return (id) => data?.find((key) => key.id === id)?.name ?? '';
};

export const INVENTORIES: ResourceTraits<Inventory> = {
  right: 'edit_inventories',
  texts: {
    title: 'inventory.title',
    noun: 'inventory.noun',
    add: 'inventory.add',
    filter: 'inventory.filter',
    emptyTitle: 'inventory.emptyTitle',
    emptyText: 'inventory.emptyText',
    deleteTitle: 'inventory.deleteTitle',
    deleteText: 'inventory.deleteText',
    deleted: 'inventory.deleted',
  },
  query: inventoryQuery,
  useColumns: (project) => {
    const { t } = useTranslation();
    const name = useKeyNames(project);
    return [
      { id: 'name', title: 'column.name', text: (row) => row.name },
      { id: 'type', title: 'column.type', text: ({ type }) => t(inventoryTypeLabel(type)), width: '18%' },
      { id: 'credentials', title: 'inventory.credentials', text: (row) => name(row.ssh_key_id), width: '22%' },
      { id: 'sudo', title: 'inventory.sudo', text: (row) => name(row.become_key_id), width: '22%' },
    ];
  },
  references: (project_id, inventory_id) => call('getInventoryReferences', { params: { project_id, inventory_id } }),
  remove: (project_id, inventory_id) => call('deleteInventory', { params: { project_id, inventory_id } }),
  Form: InventoryForm,
};
