import { randomNonce, randomPKCECodeVerifier, randomState } from 'openid-client';
import type { Clock } from '../../clock.ts';
import { type Database, LOCK, type StateTransaction } from '../../database/database.ts';
import type { Arrival, Departure, ProviderHandlers } from '../../http/edge/provider-callback.ts';
import type { MasterKey } from '../../secrets/master-key.ts';
import { hashToken } from '../../secrets/token.ts';
import type { OidcProvider } from '../../settings/sign-in-settings.ts';
import {
  type AuthorizationRequest,
  decryptRequest,
  encryptRequest,
  REQUEST_KEPT_SECONDS,
  REQUEST_SECONDS,
  safePage,
} from './authorization-request.ts';
import { enterExternal } from './external-user.ts';
import { OidcClient } from './oidc-client.ts';
import type { Profile } from './profile.ts';
import { SignOnFailure, type SignOnFailureCode } from './sign-on-failure.ts';

interface Deps {
  readonly database: Database;
  readonly clock: Clock;
  readonly master: MasterKey;
  readonly providers: readonly OidcProvider[];
  readonly pathPrefix: string;
  /**
   * Makes an attempt unless too many have failed.
   * @returns whether the attempt was correct; undefined when it was not made
   */
  readonly attempt: (account: string, address: string, verify: () => Promise<boolean>) => Promise<boolean | undefined>;
  readonly openSession: (
    tx: StateTransaction,
    user: { readonly id: number; readonly username: string },
    address: string,
    now: Date,
  ) => Promise<{ readonly token: string; readonly expires: Date }>;
  /** Called when the rights of users have changed. */
  readonly rightsChanged: () => void;
  /** Called with an error of a provider. Contains no secrets. */
  readonly onFailure: (provider: string, failure: SignOnFailure) => void;
  /** Called with an error of this server. */
  readonly onError: (error: unknown) => void;
}

/** Failures that count as wrong guesses. A denied user or an unavailable provider does not count. */
const GUESSES: readonly SignOnFailureCode[] = ['used', 'issuer', 'refused'];

/** Signs users in with a provider: the authorization request and its callback. */
export const providerSignIn = (deps: Deps): ProviderHandlers => {
  const { database, clock, master, pathPrefix } = deps;
  const clients = new Map(deps.providers.map((provider) => [provider.id, new OidcClient(provider, clock)]));

  /** Redirects to the sign-in page, which explains the failure. */
  const back = (failureCode: SignOnFailureCode, page: string): Departure => {
    const query = new URLSearchParams({ error: failureCode, ...(page === '/' ? {} : { next: page }) });
    return { to: `${pathPrefix}/auth/login?${query}` };
  };

  const orBack = async (arrival: Arrival, page: string, work: () => Promise<Departure>): Promise<Departure> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof SignOnFailure) deps.onFailure(arrival.providerId, error);
      else deps.onError(error);
      return back(error instanceof SignOnFailure ? error.failure : 'failed', page);
    }
  };

  const clientOf = (id: string): OidcClient => {
    const client = clients.get(id);
    if (!client) throw new SignOnFailure('unknown_provider');
    return client;
  };

  /** A callback is accepted once, whichever client sends it. */
  const use = ({ state }: AuthorizationRequest): Promise<void> =>
    database.write(async (tx) => {
      const now = clock.now();
      await tx.deleteFrom('used_return').where('expires', '<', now.toISOString()).execute();
      const expires = new Date(now.getTime() + REQUEST_SECONDS * 1000).toISOString();
      const first = await tx
        .insertInto('used_return')
        .values({ state_hash: hashToken(state), expires })
        .onConflict((conflict) => conflict.doNothing())
        .returning('state_hash')
        .executeTakeFirst();
      if (!first) throw new SignOnFailure('used');
    });

  const wasUsed = async (state: string): Promise<boolean> =>
    (await database.read
      .selectFrom('used_return')
      .select('state_hash')
      .where('state_hash', '=', hashToken(state))
      .executeTakeFirst()) !== undefined;

  /**
   * The authorization request of this callback. Callbacks without one are not counted, because any page can make a
   * browser send them.
   */
  const requestOf = async (
    started: AuthorizationRequest | undefined,
    { providerId, query }: Arrival,
  ): Promise<AuthorizationRequest> => {
    if (!started) {
      // The browser has deleted the cookie of a finished request. A user who reloads the callback learns what
      // happened.
      if (await wasUsed(query.getAll('state').join())) throw new SignOnFailure('used', 'the callback was used before');
      throw new SignOnFailure('lost', 'this browser did not start the authorization request');
    }
    if (started.providerId !== providerId) throw new SignOnFailure('lost', 'the callback belongs to another provider');
    if (query.getAll('state').join() !== started.state) throw new SignOnFailure('lost', 'the state differs');
    if (started.expires <= clock.now().getTime()) throw new SignOnFailure('expired');
    return started;
  };

  return {
    begin: (arrival) => {
      const page = safePage(arrival.query.get('return'));
      return orBack(arrival, page, async () => {
        const client = clientOf(arrival.providerId);
        const secrets = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
        const to = await client.addressFor(secrets);
        const expires = clock.now().getTime() + REQUEST_SECONDS * 1000;
        const value = encryptRequest(master, { ...secrets, providerId: arrival.providerId, page, expires });
        return { to, keep: { value, seconds: REQUEST_KEPT_SECONDS } };
      });
    },

    finish: (arrival) => {
      const started = decryptRequest(master, arrival.kept);
      const page = started?.page ?? '/';
      return orBack(arrival, page, async () => {
        const client = clientOf(arrival.providerId);
        const request = await requestOf(started, arrival);
        let profile: Profile | undefined;
        let guess: SignOnFailure | undefined;
        // The account is unknown until the provider has confirmed it, so attempts are counted by address only.
        const account = `request ${hashToken(request.state)}`;
        const right = await deps.attempt(account, arrival.address, async () => {
          try {
            await use(request);
            profile = await client.profileFor(arrival.query, request);
            return true;
          } catch (error) {
            if (!(error instanceof SignOnFailure) || !GUESSES.includes(error.failure)) throw error;
            guess = error;
            return false;
          }
        });
        if (right === undefined) throw new SignOnFailure('too_many');
        if (!profile) throw guess ?? new SignOnFailure('failed');
        const known = profile;
        const { token, expires } = await database.write(async (tx) => {
          const now = clock.now();
          const user = await enterExternal(tx, client.provider, known, arrival.address, now);
          return await deps.openSession(tx, user, arrival.address, now);
        }, LOCK.users);
        arrival.session.start(token, expires);
        deps.rightsChanged();
        return { to: `${pathPrefix}${page}` };
      });
    },
  };
};
