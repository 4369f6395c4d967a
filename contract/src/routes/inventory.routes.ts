import { z } from 'zod';
import { Inventory, InventoryChange, InventoryHosts, NewInventory, References } from '../entities/resources.ts';
import { IdText } from '../fields.ts';
import { MEBIBYTE } from '../limits.ts';
import { REFUSED_FOR_INVENTORY } from '../refused-fields.ts';
import { member, route } from '../route.ts';
import { sortedBy } from '../sorting.ts';
import { InventoryParams, ProjectParams } from './params.ts';

export const listInventory = route({
  method: 'GET',
  path: '/project/{project_id}/inventory',
  permission: member(),
  params: ProjectParams,
  query: sortedBy('name', 'type', 'ssh_key', 'become_key'),
  status: 200,
  answer: z.array(Inventory),
  doc: 'The inventories of a project by name, without their text for members who may not change inventories.',
});

export const createInventory = route({
  method: 'POST',
  path: '/project/{project_id}/inventory',
  permission: member('edit_inventories'),
  params: ProjectParams,
  body: NewInventory,
  bodyLimit: 3 * MEBIBYTE,
  refuses: REFUSED_FOR_INVENTORY,
  status: 201,
  answer: Inventory,
  errors: ['conflict'],
  doc: 'Adds an inventory.',
});

export const getInventory = route({
  method: 'GET',
  path: '/project/{project_id}/inventory/{inventory_id}',
  permission: member(),
  params: InventoryParams,
  status: 200,
  answer: Inventory,
  doc: 'One inventory, without its text for members who may not change inventories.',
});

export const updateInventory = route({
  method: 'PUT',
  path: '/project/{project_id}/inventory/{inventory_id}',
  permission: member('edit_inventories'),
  params: InventoryParams,
  body: InventoryChange,
  bodyLimit: 3 * MEBIBYTE,
  refuses: REFUSED_FOR_INVENTORY,
  status: 204,
  answer: 'nothing',
  errors: ['conflict'],
  doc: 'Changes an inventory.',
});

export const deleteInventory = route({
  method: 'DELETE',
  path: '/project/{project_id}/inventory/{inventory_id}',
  permission: member('edit_inventories'),
  params: InventoryParams,
  status: 204,
  answer: 'nothing',
  errors: ['in_use'],
  doc: 'Deletes an inventory that is not in use.',
});

export const getInventoryReferences = route({
  method: 'GET',
  path: '/project/{project_id}/inventory/{inventory_id}/refs',
  permission: member(),
  params: InventoryParams,
  status: 200,
  answer: References,
  doc: "The objects that use an inventory. It can't be deleted while there are any.",
});

export const getInventoryHosts = route({
  method: 'GET',
  path: '/project/{project_id}/inventory/{inventory_id}/hosts',
  permission: member(),
  params: InventoryParams,
  query: z.object({
    repository_id: IdText.optional().describe(
      'Repository of an inventory that is a file. Default: the repository of a template that uses the inventory.',
    ),
  }),
  status: 200,
  answer: InventoryHosts,
  errors: ['conflict', 'unavailable'],
  doc: "The hosts and groups of an inventory by name, read by a runner for this call. 409 if the inventory can't be read, with the reason.",
});
