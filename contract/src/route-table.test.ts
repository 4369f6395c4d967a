import { describe, expect, it } from 'vitest';
import { errorsOf } from '../openapi/operation.ts';
import { ERRORS } from './errors.ts';
import type { RouteShape } from './route.ts';
import { ROUTE_TABLE } from './route-table.ts';

const ROUTES = Object.entries(ROUTE_TABLE as Record<string, RouteShape>);

describe.each(ROUTES)('the call %s', (_name, route) => {
  it('names its permission, and has a summary of one line', () => {
    expect(route.permission.kind).toMatch(/./);
    expect(route.doc).toMatch(/^[A-Z].*\.$/s);
  });

  it('declares exactly the parameters of its path', () => {
    const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(Object.keys(route.params?.shape ?? {}).toSorted()).toEqual(inPath.toSorted());
  });

  it('has a project id in its path if its permission is one of a project', () => {
    expect(route.permission.kind === 'project').toBe(route.path.startsWith('/project/{project_id}'));
  });

  it('has the status and answer that fit its method', () => {
    const statuses = { GET: [200, 302], POST: [200, 201, 204], PUT: [204], DELETE: [204] }[route.method];
    expect(statuses).toContain(route.status);
    expect(route.answer === 'nothing').toBe(route.status === 204);
    if (route.method === 'GET') expect(route.body).toBeUndefined();
  });

  it('declares only errors of the catalogue', () => {
    for (const code of errorsOf(route)) expect(ERRORS).toHaveProperty(code);
  });
});

describe('the route table', () => {
  it('has each combination of method and path once', () => {
    const calls = ROUTES.map(([, { method, path }]) => `${method} ${path}`);
    expect(new Set(calls).size).toBe(calls.length);
  });

  it('requires a permission for every write, except to the user’s own sessions, tokens and second factor, and to new projects', () => {
    const free = ROUTES.filter(
      ([, { method, permission }]) =>
        method !== 'GET' && !('right' in permission) && !['admin', 'self'].includes(permission.kind),
    );
    expect(free.map(([name]) => name).toSorted()).toEqual([
      'beginSecondFactor',
      'confirmAddress',
      'confirmSecondFactor',
      'createProject',
      // Members keep filters of their own. A shared one needs the right to edit templates.
      'createSavedFilter',
      'createToken',
      'deleteSavedFilter',
      'deleteToken',
      'enterSecondFactor',
      'leaveProject',
      'receiveWebhook',
      'registerRunner',
      'renewRecoveryCodes',
      'requestAddressProof',
      'signIn',
      'signOut',
      // Checks the permission for each selected task.
      'stopTasks',
      'testOwnAlert',
      'turnOffSecondFactor',
      'updateSavedFilter',
    ]);
  });
});
