import { callKindOf, ROUTE_TABLE, type RouteShape, TokenScope } from '@signalbox/contract';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ApiError } from '../errors/api-error.ts';
import { mayRun, reaches, refuseKind, type TokenGrant } from './token-grant.ts';

const ROUTES = Object.values(ROUTE_TABLE) as RouteShape[];
const ids = fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 4 }).map((list) => new Set(list));
const grants = fc.record({
  id: fc.constant(1),
  name: fc.constant('CI'),
  isOfAdmin: fc.constant(false),
  scopes: fc.uniqueArray(fc.constantFrom(...TokenScope.options)),
  projects: fc.option(ids, { nil: undefined }),
  templates: fc.option(ids, { nil: undefined }),
});
const calls = fc.record({
  route: fc.constantFrom(...ROUTES),
  projectId: fc.integer({ min: 1, max: 4 }),
  templateId: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
});

const allows = (
  grant: TokenGrant,
  { route, projectId, templateId }: { route: RouteShape; projectId: number; templateId: number | undefined },
) => {
  try {
    refuseKind(route, grant);
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
  if (route.permission.kind === 'project' && !reaches(grant, projectId)) return false;
  return callKindOf(route) !== 'run' || mayRun(grant, templateId);
};

const without = (set: ReadonlySet<number> | undefined, id: number) =>
  set && new Set([...set].filter((one) => one !== id));

it('[S1] a token allows no call more when it loses a scope, a project or a template', () => {
  const id = fc.integer({ min: 1, max: 4 });
  fc.assert(
    fc.property(grants, calls, fc.constantFrom(...TokenScope.options), id, (grant, call, scope, gone) => {
      const lesser: TokenGrant[] = [
        { ...grant, scopes: grant.scopes.filter((one) => one !== scope) },
        { ...grant, projects: without(grant.projects, gone) },
        { ...grant, templates: without(grant.templates, gone) },
        // A first restriction.
        { ...grant, projects: grant.projects ?? new Set([gone]) },
        { ...grant, templates: grant.templates ?? new Set([gone]) },
      ];
      for (const less of lesser) expect(allows(less, call) && !allows(grant, call)).toBe(false);
      expect(allows({ ...grant, scopes: [] }, call)).toBe(false);
    }),
    { numRuns: 3_000 },
  );
});
