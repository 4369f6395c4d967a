import type { z } from 'zod';
import type { GrantRight } from './entities/grant.ts';
import type { ErrorKind } from './errors.ts';
import type { RefusedFields } from './refused-fields.ts';
import type { PermissionName } from './roles.ts';
import type { TokenScope } from './token-scope.ts';

/**
 * Who may make a call. Required for every route: the server does not start without it.
 * `self` requires the user of the path or an admin; `project` requires a member of the project of the path, with the given right if there is one.
 * `grant` is what can be granted instead of the right, on the template that the call names.
 */
export type Permission =
  | { readonly kind: 'anyone' }
  | { readonly kind: 'user' }
  | { readonly kind: 'create_project' }
  | { readonly kind: 'admin' }
  | { readonly kind: 'self' }
  | { readonly kind: 'project'; readonly right?: PermissionName; readonly grant?: GrantRight };

export const anyone = { kind: 'anyone' } as const satisfies Permission;
export const signedIn = { kind: 'user' } as const satisfies Permission;
export const projectCreator = { kind: 'create_project' } as const satisfies Permission;
export const admin = { kind: 'admin' } as const satisfies Permission;
export const self = { kind: 'self' } as const satisfies Permission;
export const member = (right?: PermissionName, grant?: GrantRight): Extract<Permission, { kind: 'project' }> => ({
  kind: 'project',
  ...(right && { right }),
  ...(grant && { grant }),
});

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** The body of a success: JSON with a schema, nothing, or a stream of bytes without a schema. */
export type AnswerKind = z.ZodType | 'nothing' | { readonly stream: string };

export interface RouteShape {
  readonly method: Method;
  /** Below `/api`, with `{name}` for a parameter. */
  readonly path: string;
  readonly permission: Permission;
  /** Whether users who still have to set up a required second factor may make the call. */
  readonly withoutSecondFactor?: true;
  /** The kind of call for the scopes of API tokens. Default: `callKindOf` takes it from method and permission. */
  readonly callKind?: TokenScope;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /**
   * Whether the body is handled as it was sent, because its signature covers its bytes. Other sites may make such a call:
   * a session means nothing to it.
   */
  readonly rawBody?: true;
  /** Whether the call can also respond with 202: it started work that goes on. */
  readonly mayAccept?: true;
  /** Fields of the body that Signalbox does not support and must not ignore: 400 unless their value changes nothing. */
  readonly refuses?: RefusedFields;
  /** Whether `ids` of the body select objects. The handler decides about the template of each with `permitTemplate`. */
  readonly selects?: true;
  /** Maximum size of the body in bytes. Default: DEFAULT_BODY_LIMIT. */
  readonly bodyLimit?: number;
  /** Whether the answer is one page of a list. Its header `X-Has-Next` shows whether another page follows. */
  readonly paged?: true;
  /**
   * Whether all callers who may see the same templates and views get the same answer. One read then answers all the
   * calls that wait at the same time, for example those of every open page after a change.
   */
  readonly shared?: true;
  readonly status: 200 | 201 | 204 | 302;
  readonly answer: AnswerKind;
  /** Fields of the response that runs change instead of users. The ETag does not cover them, so the call never responds with 304. */
  readonly changedByRuns?: readonly string[];
  /** Errors in addition to those of its permission and its inputs. */
  readonly errors?: readonly ErrorKind[];
  /** The description in the API documentation. */
  readonly doc: string;
}

/** Returns the route unchanged, with its exact types for server and page. */
export const route = <const R extends RouteShape>(shape: R): R => shape;

type Parsed<S> = S extends z.ZodType ? z.output<S> : Record<string, never>;
type Given<S> = S extends z.ZodType ? z.input<S> : undefined;

export type ParamsOf<R extends RouteShape> = Parsed<R['params']>;
export type QueryOf<R extends RouteShape> = Parsed<R['query']>;
export type BodyOf<R extends RouteShape> = Parsed<R['body']>;
/** What a client sends as the body. */
export type BodyInput<R extends RouteShape> = Given<R['body']>;
/** What a client sends as the query. */
export type QueryInput<R extends RouteShape> = Given<R['query']>;
export type AnswerOf<R extends RouteShape> = R['answer'] extends z.ZodType ? z.output<R['answer']> : undefined;
