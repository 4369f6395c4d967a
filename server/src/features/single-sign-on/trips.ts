import { randomNonce, randomPKCECodeVerifier, randomState } from 'openid-client';
import type { Clock } from '../../clock.ts';
import { type Database, LOCK, type StateTransaction } from '../../database/database.ts';
import type { Arrival, Departure, TripHandlers } from '../../http/provider-trip.ts';
import type { MasterKey } from '../../secrets/master-key.ts';
import { hashToken } from '../../secrets/token.ts';
import type { OidcProvider } from '../../sign-in-settings.ts';
import { enterExternal } from './external-user.ts';
import { OidcClient } from './oidc-client.ts';
import type { Profile } from './profile.ts';
import { SignOnFailure, type SignOnFault } from './sign-on-failure.ts';
import { openTrip, safePage, sealTrip, TRIP_KEPT_SECONDS, TRIP_SECONDS, type Trip } from './trip.ts';

interface Needs {
  readonly database: Database;
  readonly clock: Clock;
  readonly master: MasterKey;
  readonly providers: readonly OidcProvider[];
  readonly pathPrefix: string;
  /**
   * Makes an attempt unless too many have failed.
   * @returns whether it was right; undefined when it was not made
   */
  readonly attempt: (account: string, address: string, verify: () => Promise<boolean>) => Promise<boolean | undefined>;
  readonly openSession: (
    tx: StateTransaction,
    user: { readonly id: number; readonly username: string },
    address: string,
    now: Date,
  ) => Promise<{ readonly token: string; readonly expires: Date }>;
  /** Called when what somebody may hear has changed. */
  readonly rightsChanged: () => void;
  /** Called with what went wrong at a provider, without any secret. */
  readonly onFailure: (provider: string, failure: SignOnFailure) => void;
  /** Called with what went wrong here. */
  readonly onError: (error: unknown) => void;
}

/** Failures that count as wrong guesses. A denied user or an unavailable provider is no guess. */
const GUESSES: readonly SignOnFault[] = ['used', 'issuer', 'refused'];

/** Signing in with a provider: the way there, and the way back. */
export const providerTrips = (needs: Needs): TripHandlers => {
  const { database, clock, master, pathPrefix } = needs;
  const clients = new Map(needs.providers.map((provider) => [provider.id, new OidcClient(provider, clock)]));

  /** To the page where people sign in, which says why they are there again. */
  const back = (fault: SignOnFault, page: string): Departure => {
    const query = new URLSearchParams({ error: fault, ...(page === '/' ? {} : { next: page }) });
    return { to: `${pathPrefix}/auth/login?${query}` };
  };

  const orBack = async (arrival: Arrival, page: string, work: () => Promise<Departure>): Promise<Departure> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof SignOnFailure) needs.onFailure(arrival.providerId, error);
      else needs.onError(error);
      return back(error instanceof SignOnFailure ? error.fault : 'failed', page);
    }
  };

  const clientOf = (id: string): OidcClient => {
    const client = clients.get(id);
    if (!client) throw new SignOnFailure('unknown_provider');
    return client;
  };

  /** Each way back is gone once, whoever has got hold of it. */
  const use = ({ state }: Trip): Promise<void> =>
    database.write(async (tx) => {
      const now = clock.now();
      await tx.deleteFrom('used_return').where('expires', '<', now.toISOString()).execute();
      const expires = new Date(now.getTime() + TRIP_SECONDS * 1000).toISOString();
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

  /** The authorization request of this callback. Callbacks without one are not counted, because any page can make a browser send them. */
  const requestOf = async (trip: Trip | undefined, { providerId, query }: Arrival): Promise<Trip> => {
    if (!trip) {
      // A browser forgets a way that it has gone: whoever reloads it, or goes back to it, is told what happened.
      if (await wasUsed(query.getAll('state').join())) throw new SignOnFailure('used', 'gone before, and forgotten');
      throw new SignOnFailure('lost', 'this browser did not set out from here');
    }
    if (trip.providerId !== providerId) throw new SignOnFailure('lost', 'the way back is that of another provider');
    if (query.getAll('state').join() !== trip.state) throw new SignOnFailure('lost', 'the state is another one');
    if (trip.expires <= clock.now().getTime()) throw new SignOnFailure('expired');
    return trip;
  };

  return {
    setOut: (arrival) => {
      const page = safePage(arrival.query.get('return'));
      return orBack(arrival, page, async () => {
        const client = clientOf(arrival.providerId);
        const secrets = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
        const to = await client.addressFor(secrets);
        const expires = clock.now().getTime() + TRIP_SECONDS * 1000;
        const value = sealTrip(master, { ...secrets, providerId: arrival.providerId, page, expires });
        return { to, keep: { value, seconds: TRIP_KEPT_SECONDS } };
      });
    },

    comeBack: (arrival) => {
      const trip = openTrip(master, arrival.kept);
      const page = trip?.page ?? '/';
      return orBack(arrival, page, async () => {
        const client = clientOf(arrival.providerId);
        const request = await requestOf(trip, arrival);
        let profile: Profile | undefined;
        let guess: SignOnFailure | undefined;
        // The account is unknown until the provider has confirmed it, so attempts are counted by address only.
        const account = `request ${hashToken(request.state)}`;
        const right = await needs.attempt(account, arrival.address, async () => {
          try {
            await use(request);
            profile = await client.profileFor(arrival.query, request);
            return true;
          } catch (error) {
            if (!(error instanceof SignOnFailure) || !GUESSES.includes(error.fault)) throw error;
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
          return await needs.openSession(tx, user, arrival.address, now);
        }, LOCK.people);
        arrival.session.start(token, expires);
        needs.rightsChanged();
        return { to: `${pathPrefix}${page}` };
      });
    },
  };
};
