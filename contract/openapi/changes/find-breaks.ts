import { holds, type PermissionName, ROLES } from '../../src/roles.ts';
import type { Json } from '../schemas.ts';
import { type Break, resolveRef, SchemaComparison } from './schema-breaks.ts';

type Calls = Record<string, Record<string, Json>>;

const PRINCIPALS = [
  'anonymous',
  'outsider',
  'creator',
  'self',
  'guest',
  'task_runner',
  'manager',
  'owner',
  'admin',
] as const;
type Principal = (typeof PRINCIPALS)[number];

const mayCall = (permission: string, who: Principal): boolean => {
  const [kind, right] = permission.split(':');
  if (kind === 'anyone') return true;
  if (who === 'anonymous') return false;
  if (kind === 'user' || who === 'admin') return true;
  if (kind === 'create_project') return who === 'creator';
  if (kind === 'self') return who === 'self';
  if (kind !== 'project' || !(who in ROLES)) return false;
  return right === undefined || holds(ROLES[who as keyof typeof ROLES].permissions, right as PermissionName);
};

const schemaOf = (content: unknown): [type: string, schema: Json] | undefined => {
  const [first] = Object.entries((content ?? {}) as Record<string, Json>);
  return first && [first[0], (first[1].schema ?? {}) as Json];
};

/** Every change that can break a client of the old document. */
export const findBreaks = (before: Json, after: Json): Break[] => {
  const schemas = new SchemaComparison(before, after);
  const breaks: Break[] = [];
  const report = (location: string, what: string): void => void breaks.push({ location, what });

  const parametersOf = (call: Json, document: Json) =>
    new Map(
      ((call.parameters ?? []) as Json[]).map((one) => {
        const parameter = resolveRef(one, document);
        return [`${String(parameter.in)}.${String(parameter.name)}`, parameter] as const;
      }),
    );

  const compareParameters = (name: string, was: Json, now: Json): void => {
    const [old, current] = [parametersOf(was, before), parametersOf(now, after)];
    for (const [key, parameter] of old) {
      const kept = current.get(key);
      if (kept)
        breaks.push(...schemas.compare(parameter.schema as Json, kept.schema as Json, 'input', `${name} ${key}`));
      else report(`${name} ${key}`, 'is no longer taken');
    }
    for (const [key, parameter] of current) {
      if (parameter.required === true && old.get(key)?.required !== true) report(`${name} ${key}`, 'is now required');
    }
  };

  const compareBody = (name: string, was: Json | undefined, now: Json | undefined): void => {
    const location = `${name} body`;
    if (was && !now) report(location, 'is no longer taken');
    if (now?.required === true && was?.required !== true) report(location, 'is now required');
    const [old, current] = [schemaOf(was?.content), schemaOf(now?.content)];
    if (!old || !current) return;
    if (old[0] !== current[0]) report(location, `is ${current[0]}, before ${old[0]}`);
    if (Number(now?.['x-max-bytes']) < Number(was?.['x-max-bytes'])) report(location, 'may be less long');
    breaks.push(...schemas.compare(old[1], current[1], 'input', location));
  };

  const compareAnswers = (name: string, was: Record<string, Json>, now: Record<string, Json>): void => {
    for (const [status, answer] of Object.entries(was)) {
      const location = `${name} ${status}`;
      if (Number(status) >= 400) {
        for (const code of (answer['x-codes'] ?? []) as string[]) {
          const moved = Object.keys(now).find((key) => ((now[key]?.['x-codes'] ?? []) as string[]).includes(code));
          if (moved !== undefined && moved !== status)
            report(`${name} ${code}`, `has the status ${moved}, before ${status}`);
        }
        continue;
      }
      const current = now[status];
      if (!current) {
        report(location, 'is no longer the status of a success');
        continue;
      }
      const [old, next] = [schemaOf(resolveRef(answer, before).content), schemaOf(resolveRef(current, after).content)];
      if (old?.[0] !== next?.[0])
        report(location, `is ${next?.[0] ?? 'without a body'}, before ${old?.[0] ?? 'without one'}`);
      else if (old && next) breaks.push(...schemas.compare(old[1], next[1], 'output', location));
    }
  };

  for (const [path, calls] of Object.entries(before.paths as Calls)) {
    for (const [method, was] of Object.entries(calls)) {
      const name = String(was.operationId);
      const now = (after.paths as Calls)[path]?.[method];
      if (!now) {
        report(name, `was removed: ${method.toUpperCase()} ${path}`);
        continue;
      }
      if (now.operationId !== was.operationId) report(name, `is now named ${String(now.operationId)}`);
      const lost = PRINCIPALS.filter(
        (who) => mayCall(String(was['x-permission']), who) && !mayCall(String(now['x-permission']), who),
      );
      if (lost.length > 0) report(name, `is no longer allowed for ${lost.join(', ')}`);
      compareParameters(name, was, now);
      compareBody(name, was.requestBody as Json | undefined, now.requestBody as Json | undefined);
      compareAnswers(name, was.responses as Record<string, Json>, now.responses as Record<string, Json>);
    }
  }
  return breaks;
};
