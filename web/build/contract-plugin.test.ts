import { PERMISSION as GIVEN_PERMISSION, TASK_STATUSES as GIVEN_STATUSES, MAX_LOG_LINES, ROUTES } from 'virtual:routes';
import { PERMISSION, ROUTE_TABLE, TASK_STATUSES } from '@signalbox/contract';
import { describe, expect, it } from 'vitest';
import { contractPlugin } from './contract-plugin.ts';

describe('the part of the contract in the page', () => {
  it('contains the method and the path of every route', () => {
    expect(Object.keys(ROUTES).sort()).toEqual(Object.keys(ROUTE_TABLE).sort());
    for (const [name, { method, path }] of Object.entries(ROUTE_TABLE)) {
      expect(ROUTES[name as keyof typeof ROUTES]).toEqual({ method, path });
    }
  });

  it('contains the constants with their values', () => {
    expect(GIVEN_STATUSES).toEqual(TASK_STATUSES);
    expect(GIVEN_PERMISSION).toEqual(PERMISSION);
    expect(MAX_LOG_LINES).toBe(5000);
  });

  it('contains only data: no schema and no import', () => {
    const { load } = contractPlugin();
    const text = typeof load === 'function' ? load.call({} as never, '\0virtual:routes') : undefined;
    expect(text).not.toMatch(/import|zod/);
    expect(
      String(text)
        .split('\n')
        .every((line) => /^export const [A-Z_]+ = .*;$/.test(line)),
    ).toBe(true);
  });

  it('does not affect other modules', () => {
    const { load, resolveId } = contractPlugin();
    expect(typeof load === 'function' && load.call({} as never, 'other')).toBeUndefined();
    expect(
      typeof resolveId === 'function' && resolveId.call({} as never, 'other', undefined, {} as never),
    ).toBeUndefined();
  });
});
