import type { Readable } from 'node:stream';
import {
  type AnswerOf,
  type BodyOf,
  holds,
  type MemberRole,
  type ParamsOf,
  type QueryOf,
  type RouteName,
  type RouteShape,
  type RouteTable,
} from '@signalbox/contract';
import type { AccessOfMember, GrantRow } from '../../access/access.ts';
import type { Actor } from '../../audit/record-event.ts';
import type { Precondition } from '../objects/precondition.ts';
import type { TokenGrant } from './token-grant.ts';

/** The authenticated user. */
export interface Caller {
  readonly id: number;
  readonly username: string;
  /** False for a token that is restricted to projects: its user may be an admin within these projects only. */
  readonly admin: boolean;
  readonly canCreateProject: boolean;
  /** Whether the user must set up a second factor before any other call. */
  readonly secondFactorDue: boolean;
  /** The API token of the call; undefined in a session. */
  readonly token?: TokenGrant | undefined;
}

/** The caller's membership in the project of the path. */
export interface Membership {
  readonly projectId: number;
  /** Empty for an admin who is not a member. */
  readonly role: MemberRole | '';
  /** The id of a role of `custom`. */
  readonly roleId: number | null;
  readonly permissions: number;
  /** Restrictions and grants; undefined if the role alone decides. */
  readonly access?: AccessOfMember | undefined;
  /** The grants that permit the call; undefined if the role does. */
  readonly grants?: readonly GrantRow[] | undefined;
}

const NONE: ReadonlySet<number> = new Set();

/** Ids of the templates of the project that the caller must not see. */
export const hiddenFrom = ({ access }: Pick<Membership, 'access'>): ReadonlySet<number> => access?.hidden ?? NONE;

/** What a caller must not see of a project. */
export type Visibility = Pick<AccessOfMember, 'hidden' | 'hiddenViews'>;

export const visibilityOf = ({ access }: Pick<Membership, 'access'>): Visibility =>
  access ?? { hidden: NONE, hiddenViews: NONE };

/**
 * Whether the caller may start tasks with more than the template asks for: other arguments, any commit, or in a freeze
 * window. Grants on a template never include this.
 */
export const permitsOverride = ({ permissions, grants }: Pick<Membership, 'permissions' | 'grants'>): boolean =>
  !grants && holds(permissions, 'edit_templates');

type PermissionOf<R extends RouteShape> = R['permission'];
type CallerOf<R extends RouteShape> = PermissionOf<R> extends { kind: 'anyone' } ? undefined : Caller;
type MembershipOf<R extends RouteShape> = PermissionOf<R> extends { kind: 'project' } ? Membership : undefined;

/** A request whose body is handled as it was sent. */
export interface RawRequest {
  /** Headers by their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Everything that a handler gets: checked inputs and permissions, and as little of HTTP as possible. */
export interface Call<R extends RouteShape> {
  readonly params: ParamsOf<R>;
  readonly query: QueryOf<R>;
  readonly body: BodyOf<R>;
  readonly caller: CallerOf<R>;
  readonly membership: MembershipOf<R>;
  /**
   * Decides about the template of one selected object, in a call that selects objects.
   * @returns the membership, with the grants that permit the call for this template
   * @throws not_permitted, or not_found for a template that the caller must not see
   */
  readonly permitTemplate: (templateId: number) => Membership;
  readonly actor: Actor;
  readonly session: SessionAccess;
  readonly precondition: Precondition;
  /** The request of a call with a raw body. */
  readonly received: R extends { rawBody: true } ? RawRequest : undefined;
  /** Makes the call respond with 202. */
  readonly accept: () => void;
  /** Sets the header `X-Has-Next`: whether another page follows the one in the answer. */
  readonly setHasNext: (hasNext: boolean) => void;
}

/** The part of a call that the answer of a shared route may depend on. */
export type SharedCall<R extends RouteShape> = Pick<Call<R>, 'params' | 'query' | 'setHasNext'> & Visibility;

/** Reads and changes the session of the request. Only sign-in and sign-out change it. */
export interface SessionAccess {
  readonly token: string | undefined;
  /** The API token that the call carries instead of a session. */
  readonly apiToken: string | undefined;
  /** IP address of the client. */
  readonly address: string;
  /** The sign-in of this browser that waits for a code. */
  readonly held: string | undefined;
  /** Stores a sign-in that waits for a code in a cookie. */
  hold(token: string, expires: Date): void;
  /** Starts a session in this browser, and clears a sign-in that waited for a code. */
  start(token: string, expires: Date): void;
  clear(): void;
}

/** A body that is streamed, with the content type that the route names. */
export interface StreamAnswer {
  readonly stream: Readable | string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A stream can be sent once only, so no calls share it. */
type HandlerAnswer<R extends RouteShape> = R['answer'] extends { stream: string }
  ? StreamAnswer
  : R extends { shared: true }
    ? AnswerOf<R>
    : AnswerOf<R> | StreamAnswer;

export type Handler<R extends RouteShape> = (
  call: R extends { shared: true } ? SharedCall<R> : Call<R>,
) => R['answer'] extends 'nothing' ? Promise<void> : Promise<HandlerAnswer<R>>;

/** One handler for each call of the contract. A missing or unknown handler does not compile. */
export type Handlers = { readonly [N in RouteName]: Handler<RouteTable[N]> };
