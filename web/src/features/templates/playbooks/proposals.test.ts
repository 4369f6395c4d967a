import { describe, expect, it } from 'vitest';
import { fileOf, fileOptions, initiallyChosen, proposalsOf } from './proposals.ts';

const playbook = (path: string, ...plays: string[]) => ({ path, plays });
const template = (id: number, name: string, playbook = 'other.yml', repository_id = 7) => ({
  ...{ id, name, playbook, repository_id },
});
const namesOf = (playbooks: ReturnType<typeof playbook>[], templates: ReturnType<typeof template>[] = []) =>
  proposalsOf({ playbooks }, templates, 7).map(({ name }) => name);

describe('proposals of templates', () => {
  it('are named like their only play, or like their file', () => {
    expect(
      namesOf([playbook('site.yml', 'Web servers'), playbook('deploy/data_base-01.yaml', 'A', 'B'), playbook('x.yml')]),
    ).toEqual(['Web servers', 'Data base 01', 'X']);
  });

  it('are named like their path if the name is not unique, also among the templates', () => {
    expect(
      namesOf([playbook('a/site.yml'), playbook('b/site.yml'), playbook('patch.yml')], [template(1, 'Patch')]),
    ).toEqual(['a/site.yml', 'b/site.yml', 'patch.yml']);
  });

  it('name the templates of the same repository that run them, and choose the others if they are few', () => {
    const proposals = proposalsOf(
      { playbooks: [playbook('site.yml'), playbook('patch.yml')] },
      [template(1, 'All', 'site.yml'), template(2, 'Foreign', 'patch.yml', 8)],
      7,
    );
    expect(proposals.map(({ usedBy }) => usedBy.map(({ name }) => name))).toEqual([['All'], []]);
    expect(initiallyChosen(proposals)).toEqual(['patch.yml']);
    const many = Array.from({ length: 11 }, (_, number) => playbook(`${number}.yml`));
    expect(initiallyChosen(proposalsOf({ playbooks: many }, [], 7))).toEqual([]);
  });

  it('offer the inventory files that no inventory names', () => {
    const inventories = [
      { type: 'file', inventory: 'live.ini' },
      { type: 'static', inventory: 'test.ini' },
    ];
    const options = fileOptions(['live.ini', 'test.ini'], inventories);
    expect(options.map(({ value }) => fileOf(value))).toEqual(['test.ini']);
    expect([fileOf('12'), fileOf(null)]).toEqual([undefined, undefined]);
  });
});
