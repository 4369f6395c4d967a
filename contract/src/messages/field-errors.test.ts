import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { RouteShape } from '../route.ts';
import { ROUTE_TABLE } from '../route-table.ts';
import { isFieldCode } from './field-errors.ts';

type Definition = z.core.$ZodTypeDef & Record<string, unknown>;

/** The messages of the checks of a schema and of its parts. */
const errorsOf = (schema: unknown, seen = new Set<unknown>()): string[] => {
  if (!(schema instanceof z.core.$ZodType) || seen.has(schema)) return [];
  seen.add(schema);
  const definition = schema._zod.def as Definition;
  const issue: unknown = { code: 'custom', input: null, path: [] };
  // The definition of a number or a check can stand twice: as the schema, and among its own checks.
  const own = new Set<{ error?: unknown }>([definition, ...(definition.checks ?? []).map((check) => check._zod.def)]);
  const errors = [...own].flatMap(({ error }) => {
    const message = typeof error === 'function' ? error(issue) : undefined;
    return typeof message === 'string' ? [message] : [];
  });
  const parts = Object.entries(definition).flatMap(([name, part]) => {
    if (name === 'checks') return [];
    if (name === 'shape') return Object.values(part as object);
    return Array.isArray(part) ? part : [part];
  });
  return [...errors, ...parts.flatMap((part) => errorsOf(part, seen))];
};

const routes = Object.entries(ROUTE_TABLE as Record<string, RouteShape>);

describe('the errors of body, query and path checks', () => {
  it('have a code instead of a text', () => {
    const found = routes.flatMap(([name, { body, query, params }]) =>
      [body, query, params].flatMap((schema) => errorsOf(schema).map((error) => [name, error] as const)),
    );
    expect(found.length).toBeGreaterThan(200);
    expect(found.filter(([, error]) => !isFieldCode(error))).toEqual([]);
  });

  it('are all found by this test, also in nested schemas', () => {
    const inner = z.string().min(1, 'Too short.').regex(/a/, 'No a.');
    const schema = z
      .object({ list: z.array(inner.optional()), either: z.union([z.int(), z.string().max(2, 'Too long.')]) })
      .refine(() => true, 'Not so.');
    expect(errorsOf(schema).toSorted()).toEqual(['No a.', 'Not so.', 'Too long.', 'Too short.']);
  });
});
