import { GrantRight, permissionsOf, RoleRight } from '@signalbox/contract';
import { describe, expect, it } from 'vitest';
import { randomFor } from '../../../testing/sample.ts';
import { type AccessRules, accessOfMember, decide, type GrantRow, hiddenTemplates } from './access.ts';
import type { AccessMember } from './memberships.ts';

const GRANT: GrantRow = {
  ...{ id: 1, project_id: 1, template_id: null, view_id: null, user_id: null, role: null, role_id: null },
  ...{ group_name: '', rights: 'see', inventory_id: null, limit_hosts: '', answers: '{}' },
  ...{ granted_by: 1, granted_by_name: 'mara', created: '2026-11-25T00:00:00.000Z' },
};
const IVO: AccessMember = { userId: 7, role: 'guest', roleId: null, permissions: 0, groups: new Set(['ops']) };
const RUNNER: AccessMember = { ...IVO, role: 'task_runner', permissions: 1 };
const OWNER: AccessMember = { ...IVO, role: 'owner', permissions: 15 };
const [OPEN, CLOSED, IN_VIEW] = [1, 2, 3];
const [VIEW, OTHER_VIEW] = [10, 11];

const rulesWith = (...grants: Partial<GrantRow>[]): AccessRules => ({
  viewOf: new Map([
    [CLOSED, OTHER_VIEW],
    [IN_VIEW, VIEW],
  ]),
  restricted: new Set([CLOSED, IN_VIEW]),
  restrictedViews: new Set([VIEW]),
  grants: grants.map((grant) => ({ ...GRANT, ...grant })),
});

describe('a decision about a template', () => {
  it('is that of the role, unless the template is restricted', () => {
    const rules = rulesWith();
    expect(decide(rules, RUNNER, OPEN, 'run')).toMatchObject({ allowed: true, reason: 'role' });
    expect(decide(rules, RUNNER, OPEN, 'edit')).toMatchObject({ allowed: false, reason: 'no_right' });
    expect(decide(rules, RUNNER, CLOSED, 'run')).toMatchObject({ allowed: false, reason: 'restricted' });
    expect(decide(rules, RUNNER, CLOSED, 'see')).toMatchObject({ allowed: false, reason: 'restricted' });
    expect(decide(rules, OWNER, CLOSED, 'edit')).toMatchObject({ allowed: true, reason: 'role' });
    expect([...hiddenTemplates(rules, RUNNER)]).toEqual([CLOSED, IN_VIEW]);
    expect([...hiddenTemplates(rules, OWNER)]).toEqual([]);
  });

  it.each<[string, Partial<GrantRow>, AccessMember, boolean]>([
    ['the user', { user_id: 7 }, IVO, true],
    ['another user', { user_id: 8 }, IVO, false],
    ['the role', { role: 'guest' }, IVO, true],
    ['another role', { role: 'manager' }, IVO, false],
    ['the same role of the project', { role: 'custom', role_id: 4 }, { ...IVO, role: 'custom', roleId: 4 }, true],
    ['another role of the project', { role: 'custom', role_id: 5 }, { ...IVO, role: 'custom', roleId: 4 }, false],
    ['a group of the user', { group_name: 'ops' }, IVO, true],
    ['another group', { group_name: 'dev' }, IVO, false],
  ])('counts a grant to %s', (_, to, member, allowed) => {
    const rules = rulesWith({ ...to, template_id: CLOSED, rights: 'run' });
    expect(decide(rules, member, CLOSED, 'run').allowed).toBe(allowed);
    expect(decide(rules, member, CLOSED, 'see').allowed).toBe(allowed);
    expect(decide(rules, member, CLOSED, 'edit').allowed).toBe(false);
    expect(decide(rules, member, IN_VIEW, 'run').allowed).toBe(false);
  });

  it('counts a grant on a view for its templates, and shows the view', () => {
    const rules = rulesWith({ user_id: 7, view_id: VIEW, rights: 'edit' });
    expect(decide(rules, IVO, IN_VIEW, 'edit')).toMatchObject({ allowed: true, reason: 'grant' });
    expect(decide(rules, IVO, CLOSED, 'see').allowed).toBe(false);
    expect([...accessOfMember(rules, IVO).hiddenViews]).toEqual([]);
    expect([...accessOfMember(rulesWith(), IVO).hiddenViews]).toEqual([VIEW]);
    expect(accessOfMember(rules, IVO).templates).toEqual([
      { template_id: IN_VIEW, restricted: true, rights: ['see', 'edit'], limits: [] },
    ]);
  });

  it('never allows more when a right of a role or of a grant is taken away', () => {
    const random = randomFor('access: rights taken away');
    const some = <T>(items: readonly T[]): T[] => items.filter(() => random() < 0.5);
    const drawGrant = (): Partial<GrantRow> => ({
      rights: ['see', ...some(['run', 'approve', 'edit'])].join(','),
      ...(random() < 0.5 ? { template_id: 1 + Math.floor(random() * 3) } : { view_id: VIEW }),
      ...(random() < 0.5 ? { user_id: 7 } : { group_name: random() < 0.5 ? 'ops' : 'dev' }),
    });
    for (let n = 0; n < 500; n++) {
      const rights = some(RoleRight.options);
      const grants = Array.from({ length: Math.floor(random() * 4) }, drawGrant);
      const member = (rights: readonly RoleRight[]) =>
        ({ ...IVO, role: 'custom', roleId: 1, permissions: permissionsOf(rights) }) as const;
      const fewer = [
        [rulesWith(...grants), member(rights.slice(1))],
        [rulesWith(...grants.slice(1)), member(rights)],
        [rulesWith(...grants.map((grant) => ({ ...grant, rights: 'see' }))), member(rights)],
      ] as const;
      for (const [rules, holder] of fewer)
        for (const template of [OPEN, CLOSED, IN_VIEW])
          for (const right of GrantRight.options)
            if (decide(rules, holder, template, right).allowed)
              expect(
                decide(rulesWith(...grants), member(rights), template, right).allowed,
                JSON.stringify(grants),
              ).toBe(true);
    }
  });
});
