import {
  ChangedPart,
  DEFAULT_BODY_LIMIT,
  InstallationPart,
  ROUTE_TABLE,
  type RouteName,
  type RouteShape,
} from '@signalbox/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { StateReader } from '../../database/database.ts';
import { acceptRawBodies } from '../edge/json-body.ts';
import { isOwnOrigin } from '../edge/origin.ts';
import type { SessionGate } from '../edge/session-gate.ts';
import { ApiError, badField } from '../errors/api-error.ts';
import { FIELD_CHECKS } from '../errors/field-message.ts';
import { withoutNulls } from '../objects/change.ts';
import { type Precondition, preconditionOf, type Sibling } from '../objects/precondition.ts';
import { answerSchema } from './answer-schema.ts';
import { authorize } from './authorize.ts';
import { authorizeTemplates, permitTemplate } from './authorize-templates.ts';
import {
  type Call,
  type Caller,
  type Handlers,
  type Membership,
  type RawRequest,
  type SessionAccess,
  type SharedCall,
  type StreamAnswer,
  visibilityOf,
} from './call.ts';
import { JoinedReads } from './joined-reads.ts';
import { writeJson } from './json-answer.ts';
import { type LongAnswers, STREAM_BYTES } from './long-answers.ts';
import { refuseFields } from './refused-fields.ts';
import { refuseOtherTemplate } from './token-grant.ts';

export interface Edge {
  readonly db: StateReader;
  readonly gate: SessionGate;
  readonly longAnswers: LongAnswers;
  readonly publicUrl: string | undefined;
  /** Called when a call has changed a part of a project. */
  readonly onChanged: (projectId: number, part: ChangedPart) => void;
  /** Called when a call has changed a part of the installation. */
  readonly onInstallationChanged: (part: InstallationPart) => void;
}

/** The part of a project that a path belongs to; undefined for paths outside projects. */
const partOf = ({ path }: RouteShape): ChangedPart | undefined => {
  // A test changes nothing.
  if (path.endsWith('/test')) return undefined;
  const [, name] = /^\/project\/\{project_id\}(?:\/(\w+))?/.exec(path) ?? [];
  if (!path.startsWith('/project/{project_id}')) return undefined;
  return ChangedPart.safeParse(name === 'me' ? 'users' : (name ?? 'project')).data;
};

/** The part of the installation that a path belongs to. */
const installationPartOf = ({ path }: RouteShape): InstallationPart | undefined =>
  // Creating, deleting or renaming a project changes the list of projects.
  InstallationPart.safeParse(path === '/project/{project_id}' ? 'projects' : /^\/(\w+)/.exec(path)?.[1]).data;

type AnyHandler = (call: Call<RouteShape> | SharedCall<RouteShape>) => Promise<unknown>;

const isStream = (answer: unknown): answer is StreamAnswer =>
  typeof answer === 'object' && answer !== null && 'stream' in answer;

/** Refuses a body whose id differs from the id in the path. */
const refuseOtherIds = (route: RouteShape, params: Record<string, unknown>, body: unknown): void => {
  if (typeof body !== 'object' || body === null) return;
  const ids = { ...params };
  // A new object has no id yet, so an id in the body is left over from another object and ignored.
  if (route.method === 'PUT') ids.id = Object.values(params).at(-1);
  for (const [name, id] of Object.entries(ids)) {
    const given = Object.hasOwn(body, name) ? (body as Record<string, unknown>)[name] : null;
    if (given !== null && given !== id) throw badField(name, 'field.other_address');
  }
};

/** Finds the GET call of the same path. `If-Match` is compared with its answer. */
const siblingOf = ({ method, path }: RouteShape): Sibling | undefined => {
  if (method !== 'PUT' && method !== 'DELETE') return undefined;
  const sibling = (Object.values(ROUTE_TABLE) as RouteShape[]).find((one) => one.method === 'GET' && one.path === path);
  const schema = sibling && answerSchema(sibling);
  return schema && { schema, changedByRuns: sibling?.changedByRuns };
};

/** The caller and their membership, after authorization and before the body is read. */
interface Entered {
  readonly session: SessionAccess;
  readonly caller: Caller | undefined;
  readonly params: Record<string, unknown>;
  readonly membership: Membership | undefined;
}

/**
 * Reads the caller and their membership from the database, and the parameters from the path.
 * @throws not_signed_in, second_factor_due, not_permitted or not_found
 */
const admit = async (
  route: RouteShape,
  session: SessionAccess,
  request: FastifyRequest,
  edge: Edge,
): Promise<Omit<Entered, 'session'>> => {
  const caller = route.permission.kind === 'anyone' ? undefined : await edge.gate.callerOf(session);
  if (route.permission.kind !== 'anyone' && !caller) {
    session.clear();
    throw new ApiError('not_signed_in');
  }
  if (caller?.secondFactorDue && !route.withoutSecondFactor) {
    throw new ApiError('second_factor_due');
  }
  const params = route.params?.parse(request.params, FIELD_CHECKS) ?? {};
  return { caller, params, membership: await authorize(edge.db, route, caller, params) };
};

const enter = async (route: RouteShape, request: FastifyRequest, reply: FastifyReply, edge: Edge): Promise<Entered> => {
  if (route.method !== 'GET' && !route.rawBody && !isOwnOrigin(request.headers, edge.publicUrl)) {
    throw new ApiError('wrong_origin');
  }
  const session = edge.gate.access(request, reply);
  return { session, ...(await admit(route, session, request, edge)) };
};

const readBody = (route: RouteShape, sent: unknown): unknown =>
  route.body?.parse(withoutNulls(route.body, sent, route.method === 'POST'), FIELD_CHECKS) ?? {};

/** A request as it was sent. A header that was sent several times has one text. */
const rawRequest = ({ headers, body }: FastifyRequest): RawRequest => ({
  headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
  body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
});

const readCall = (
  route: RouteShape,
  request: FastifyRequest,
  { session, caller, params, membership }: Entered,
  reply: FastifyReply,
  precondition: Precondition,
): Call<RouteShape> => {
  refuseOtherIds(route, params, request.body);
  refuseFields(route, request.body);
  return {
    params,
    query: route.query?.parse(request.query, FIELD_CHECKS) ?? {},
    body: readBody(route, request.body),
    caller,
    membership,
    permitTemplate: (id: number) => permitTemplate(route, { caller, membership }, id),
    session,
    precondition,
    received: route.rawBody ? rawRequest(request) : undefined,
    accept: () => void (route.mayAccept && reply.code(202)),
    setHasNext: (hasNext: boolean) => void reply.header('x-has-next', String(hasNext)),
    actor: { userId: caller?.id ?? null, address: request.ip, token: caller?.token },
  } as Call<RouteShape>;
};

/** Registers a long answer. Calls that need no session are not checked again. */
const registerLong = (
  { route, request, reply, edge }: Answering,
  { session, caller }: Entered,
  bytes: number,
): { bytes: number } => {
  if (!caller) return { bytes };
  // The headers are sent by then: a check renews no cookies.
  const silent = { ...session, start: () => undefined, clear: () => undefined };
  const recheck = async (): Promise<void> => {
    const { params, membership } = await admit(route, silent, request, edge);
    await authorizeTemplates(edge.db, route, { params, body: undefined, membership });
  };
  const answer = { request, reply, userId: caller.id, bytes, recheck };
  edge.longAnswers.add(answer);
  return answer;
};

/** A call that is being answered. */
interface Answering {
  readonly route: RouteShape;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly edge: Edge;
}

/** Sets the headers of an answer and writes its body. */
const writeAnswer = async (answering: Answering, entered: Entered, answer: unknown): Promise<unknown> => {
  const { route, request, reply } = answering;
  if (reply.statusCode !== 202) reply.code(route.status);
  if (route.answer === 'nothing') return undefined;
  const schema = answerSchema(route);
  if (!isStream(answer)) {
    const register = (bytes: number) => registerLong(answering, entered, bytes);
    return schema ? await writeJson(request, reply, answer, schema, register) : answer;
  }
  if (typeof answer.stream !== 'string') registerLong(answering, entered, STREAM_BYTES);
  const type =
    typeof route.answer === 'object' && 'stream' in route.answer
      ? `${route.answer.stream}; charset=utf-8`
      : 'application/json; charset=utf-8';
  // The serialiser must not handle a streamed answer.
  reply
    .type(type)
    .headers(answer.headers ?? {})
    .serializer((payload: unknown) => payload as string);
  return answer.stream;
};

/**
 * Registers every call of the contract, with the checks that its entry names.
 * @throws when a call has no handler or no permission, so a server with an unchecked call does not start
 */
export const bindRoutes = (app: FastifyInstance, handlers: Handlers, edge: Edge): void => {
  const entered = new WeakMap<FastifyRequest, Entered>();
  const joinedReads = new JoinedReads();
  const withRawBodies = (bind: (scope: FastifyInstance) => void): void =>
    void app.register((scope, _options, done) => {
      acceptRawBodies(scope);
      bind(scope);
      done();
    });
  for (const [name, route] of Object.entries(ROUTE_TABLE) as [RouteName, RouteShape][]) {
    const handler = handlers[name] as AnyHandler | undefined;
    if (!handler) throw new Error(`The call ${name} has no handler.`);
    if (!route.permission?.kind) throw new Error(`The call ${name} names no permission.`);
    const sibling = siblingOf(route);
    const part = route.method === 'GET' ? undefined : partOf(route);
    const installationPart = route.method === 'GET' ? undefined : installationPartOf(route);
    const answerCall = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
      const precondition = preconditionOf(request, sibling);
      // A body may take a minute to arrive: a caller who lost the session or the rights in the meantime is refused.
      const before = request.body === undefined ? entered.get(request) : undefined;
      const who = before ?? (await enter(route, request, reply, edge));
      const call = readCall(route, request, who, reply, precondition);
      await refuseOtherTemplate(edge.db, route, call);
      const membership = await authorizeTemplates(edge.db, route, call);
      const answer =
        route.shared && membership
          ? await joinedReads.answer(name, { ...call, ...visibilityOf(membership) }, handler)
          : await handler({ ...call, membership } as Call<RouteShape>);
      if (part) edge.onChanged((call.params as { project_id: number }).project_id, part);
      if (installationPart) edge.onInstallationChanged(installationPart);
      return await writeAnswer({ route, request, reply, edge }, who, answer);
    };
    const register = route.rawBody ? withRawBodies : (bind: (scope: FastifyInstance) => void) => bind(app);
    register((scope) =>
      scope.route({
        method: route.method,
        url: `/api${route.path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
        bodyLimit: route.bodyLimit ?? DEFAULT_BODY_LIMIT,
        config: {
          ...(route.changedByRuns && { changedByRuns: route.changedByRuns }),
          ...(route.shared && { shared: route.shared }),
        },
        onRequest: async (request, reply) => {
          entered.set(request, await enter(route, request, reply, edge));
        },
        // Only the written body is kept while it is sent: the rows that it was written from are released before.
        handler: async (request, reply) => reply.send(await answerCall(request, reply)),
      }),
    );
  }
};
