import type { z } from 'zod';
import type { ErrorKind } from './errors.ts';
import type { RefusedFields } from './refused-fields.ts';
import type { PermissionName } from './roles.ts';

/**
 * Who may make a call. Every route names one; the server does not start with a route that names none.
 * `self` asks for the user of the path or an admin; `project` asks for membership in the project of the path, and for the right if it names one.
 */
export type Permission =
  | { readonly kind: 'anyone' }
  | { readonly kind: 'user' }
  | { readonly kind: 'create_project' }
  | { readonly kind: 'admin' }
  | { readonly kind: 'self' }
  | { readonly kind: 'project'; readonly right?: PermissionName };

export const anyone = { kind: 'anyone' } as const satisfies Permission;
export const signedIn = { kind: 'user' } as const satisfies Permission;
export const projectCreator = { kind: 'create_project' } as const satisfies Permission;
export const admin = { kind: 'admin' } as const satisfies Permission;
export const self = { kind: 'self' } as const satisfies Permission;
export const member = (right?: PermissionName): Extract<Permission, { kind: 'project' }> =>
  right ? { kind: 'project', right } : { kind: 'project' };

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** What a success carries: JSON by a schema, nothing, or a stream of bytes that no schema describes. */
export type AnswerKind = z.ZodType | 'nothing' | { readonly stream: string };

export interface RouteShape {
  readonly method: Method;
  /** Below `/api`, with `{name}` for a parameter. */
  readonly path: string;
  readonly permission: Permission;
  /** Whether it may be called by who must set up a second factor before anything else. */
  readonly withoutSecondFactor?: true;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** Fields of the body that Signalbox does not support and must not ignore: 400 unless their value changes nothing. */
  readonly refuses?: RefusedFields;
  /** Largest body in bytes; DEFAULT_BODY_LIMIT unless told. */
  readonly bodyLimit?: number;
  /** Whether the answer is one page of a list. Its header `X-Has-Next` says whether another page follows. */
  readonly paged?: true;
  readonly status: 200 | 201 | 204 | 302;
  readonly answer: AnswerKind;
  /** Fields of the answer that runs change, not users. The ETag leaves them out, so the call never answers 304. */
  readonly changedByRuns?: readonly string[];
  /** Beside the errors that its permission and its inputs bring by themselves. */
  readonly errors?: readonly ErrorKind[];
  /** One sentence for people who read the API's documentation. */
  readonly doc: string;
}

/** Keeps the exact types of a route, so that server and page share them. */
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
