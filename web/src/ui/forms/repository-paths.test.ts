import { describe, expect, it } from 'vitest';
import { inventoriesOf, playbooksOf } from './repository-paths.ts';

const FILES = [
  '.github/workflows/ci.yml',
  'README.md',
  'group_vars/all.yml',
  'inventories/prod/group_vars/all.yml',
  'inventories/prod/hosts',
  'inventories/stage.yml',
  'inventories/test.ini',
  'playbooks/web.yaml',
  'requirements.yml',
  'roles/web/tasks/main.yml',
  'scripts/make.sh',
  'site.yml',
];

describe('suggested paths', () => {
  it('contain playbooks, the nearest first, but not their roles and tasks', () => {
    expect(playbooksOf(FILES)).toEqual(['site.yml', 'playbooks/web.yaml']);
  });

  it('begin with inventories and their folders, followed by other possible files', () => {
    expect(inventoriesOf(FILES)).toEqual([
      'inventories',
      'inventories/prod',
      'inventories/stage.yml',
      'inventories/test.ini',
      'inventories/prod/hosts',
      'requirements.yml',
      'site.yml',
      'playbooks/web.yaml',
      'scripts/make.sh',
    ]);
  });
});
