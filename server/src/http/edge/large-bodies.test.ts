import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { DEFAULT_BODY_LIMIT, ROUTE_TABLE, type RouteName, type RouteShape } from '@signalbox/contract';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { drawSample } from '../../../../testing/sample.ts';
import { MAX_BLOCKED_MS, startMeasuring } from '../../testing/blocked-loop.ts';
import { describeOneDatabase } from '../../testing/database/databases.ts';
import { VALID_REQUESTS } from '../../testing/requests/valid-request.ts';
import { addMember, sampleProject } from '../../testing/sample-project.ts';
import { startTestServer } from '../../testing/test-server.ts';

/** Number of costly fields that are tested for each call. `npm run test:full` tests all of them. */
const SAMPLED = { small: 3, large: 12 };

/** Values that are costly to decode, parse or validate, each as a start, a repeated part and an end. */
const COSTLY_VALUES = {
  'empty objects': ['[{}', ',{}', ']'],
  'deep arrays': ['[', '[', ''],
  'many keys': ['{"a":0', ',"a":0', '}'],
  'plain text': ['"x', 'x', '"'],
  'escaped text': ['"', '\\u0041', '"'],
  'wide text': ['"', '漢', '"'],
  'combining marks': ['"a', '\u{301}\u{316}', '"'],
  'JSON text of empty objects': ['"{\\"a\\":[{}', ',{}', ']}"'],
  'JSON text of deep arrays': ['"{\\"a\\":[', '[', '"'],
} as const;
type CostlyValue = keyof typeof COSTLY_VALUES;
const VALUES = Object.keys(COSTLY_VALUES) as CostlyValue[];

const WRITING = (Object.entries(ROUTE_TABLE) as [RouteName, RouteShape][]).filter(([, { body }]) => body);

const fieldsOf = ({ body }: RouteShape): string[] => {
  const schema = z.toJSONSchema(body as z.ZodType, { io: 'input', unrepresentable: 'any' });
  return Object.keys(schema.properties ?? {});
};

const pathOf = ({ path }: RouteShape, params: Readonly<Record<string, number>>): string =>
  `/api${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(params[name] ?? 1))}`;

/** Replaces one field of a body by a costly value of the maximum length that the call allows. */
const withCostlyField = (body: object, field: string, value: CostlyValue, bytes: number) => {
  const others = Object.entries(body).filter(([name]) => name !== field);
  const start = JSON.stringify(Object.fromEntries(others)).slice(0, -1);
  const [head, part, tail] = COSTLY_VALUES[value];
  return {
    head: `${start}${others.length > 0 ? ',' : ''}${JSON.stringify(field)}:${head}`,
    part,
    tail: `${tail}}`,
    bytes,
  };
};

describeOneDatabase('[S12] a body of the maximum size', (makeLocation) => {
  it('blocks the main thread for at most 50 ms, whatever its content', async () => {
    const server = await startTestServer(await makeLocation());
    const admin = await server.signIn();
    const sample = await sampleProject(admin);
    const measure = startMeasuring(server);
    const slow: string[] = [];
    let count = 0;
    for (const [name, route] of WRITING) {
      const { params = {}, body = {} } = await VALID_REQUESTS[name]({ server, admin, sample }, `${name}-anonymous`);
      const bytes = route.bodyLimit ?? DEFAULT_BODY_LIMIT;
      const shared = {
        method: route.method,
        path: pathOf(route, { project_id: sample.projectId, ...params }),
        cookie: name === 'signIn' || name === 'signOut' ? '' : admin.cookie,
      };
      const costly = fieldsOf(route).flatMap((field) => VALUES.map((value) => ({ field, value })));
      const size = route.bodyLimit ? SAMPLED.large : SAMPLED.small;
      for (const { field, value } of drawSample(`costly fields: ${name}`, costly, size)) {
        const {
          status,
          blockedMs,
          text: answer,
        } = await measure({ ...shared, ...withCostlyField(body, field, value, bytes) });
        count += 1;
        expect(status, `${name} ${field} ${value}: ${answer}`).toBeLessThan(500);
        if (blockedMs > MAX_BLOCKED_MS)
          slow.push(`${name} ${field}: ${value}: ${status} after ${blockedMs.toFixed(0)} ms`);
      }
    }
    expect(count).toBeGreaterThan(WRITING.length);
    expect(slow).toEqual([]);
  });

  it('is refused before it arrives when the caller lacks the permission', async () => {
    const server = await startTestServer(await makeLocation());
    const admin = await server.signIn();
    const { projectId } = await sampleProject(admin);
    const outsider = await addMember(server, 'outsider');
    const guest = await addMember(server, 'guest', { projectId, role: 'guest' });
    const refused = async (route: RouteShape, cookie: string): Promise<number> => {
      const socket = connect(Number(new URL(server.baseUrl).port), '127.0.0.1');
      socket.write(
        `${route.method} ${pathOf(route, { project_id: projectId, user_id: 1 })} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n` +
          `cookie: ${cookie}\r\ncontent-type: application/json\r\ncontent-length: ${route.bodyLimit ?? DEFAULT_BODY_LIMIT}\r\n\r\n{`,
      );
      const answer = await text(socket);
      return Number(answer.split(' ')[1]);
    };
    for (const [name, route] of WRITING) {
      const { permission } = route;
      if (permission.kind === 'anyone' || permission.kind === 'user') continue;
      expect(await refused(route, outsider.cookie), name).toBe(permission.kind === 'project' ? 404 : 403);
      if (permission.kind === 'project' && permission.right) expect(await refused(route, guest.cookie), name).toBe(403);
    }
  });
});
