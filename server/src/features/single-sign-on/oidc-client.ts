import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  calculatePKCECodeChallenge,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
} from 'openid-client';
import type { Clock } from '../../clock.ts';
import type { OidcProvider } from '../../settings/sign-in-settings.ts';
import { type AuthorizationRequest, REQUEST_SECONDS } from './authorization-request.ts';
import { type Claims, isSubject, type Profile, profileOf, readClaim } from './profile.ts';
import { SignOnFailure } from './sign-on-failure.ts';

/** Time-out after which a provider counts as down, in seconds. */
const TIMEOUT_SECONDS = 10;
/** Time after which the discovery document is fetched again, in milliseconds. */
const KNOWN_MS = 3600 * 1000;

/** The configured method of client authentication, else the first one that the provider supports. */
const authenticationOf = ({ clientSecret, tokenAuth }: OidcProvider): ClientAuth => {
  if (clientSecret === undefined) return None();
  return (server, client, body, headers) => {
    const offered = server.token_endpoint_auth_methods_supported;
    const byDefault = offered === undefined || offered.includes('client_secret_basic') ? 'basic' : 'post';
    const make = (tokenAuth ?? byDefault) === 'basic' ? ClientSecretBasic : ClientSecretPost;
    make(clientSecret)(server, client, body, headers);
  };
};

const configure = async (provider: OidcProvider): Promise<Configuration> => {
  const { issuer, endpoints, clientId } = provider;
  const auth = authenticationOf(provider);
  const execute = [enableNonRepudiationChecks];
  // The settings allow plain HTTP only on this machine.
  if ([issuer, ...Object.values(endpoints ?? {})].some((url) => url?.startsWith('http:'))) {
    execute.push(allowInsecureRequests);
  }
  if (endpoints === undefined) {
    return await discovery(new URL(issuer), clientId, {}, auth, { execute, timeout: TIMEOUT_SECONDS });
  }
  const server = {
    issuer,
    authorization_endpoint: endpoints.authorization,
    token_endpoint: endpoints.token,
    jwks_uri: endpoints.jwks,
    ...(endpoints.userinfo === undefined ? {} : { userinfo_endpoint: endpoints.userinfo }),
  };
  const configuration = new Configuration(server, clientId, {}, auth);
  configuration.timeout = TIMEOUT_SECONDS;
  for (const apply of execute) apply(configuration);
  return configuration;
};

/** An error and its causes, outermost first. */
const causesOf = (error: unknown): (Error & { readonly code?: unknown })[] =>
  error instanceof Error ? [error, ...causesOf(error.cause)] : [];

const isAboutIssuer = (error: Error): boolean =>
  /"iss" |"issuer" property|metadata issuer/.test(error.message) ||
  (error.cause as { claim?: unknown } | undefined)?.claim === 'iss';

/** Maps the error of a refused answer to a reason that users see. Nothing of the answer is logged. */
const failureOf = (error: unknown): SignOnFailure => {
  const causes = causesOf(error);
  const why = causes.map(({ code, message }) => `${code ?? 'no code'}: ${message}`).join(' < ');
  const has = (...codes: string[]) => causes.some(({ code }) => codes.includes(String(code)));
  if (error instanceof AuthorizationResponseError) {
    return new SignOnFailure(
      error.error === 'access_denied' ? 'denied' : 'refused',
      `the provider reports ${error.error}`,
    );
  }
  if (has('OAUTH_JWT_TIMESTAMP_CHECK_FAILED')) return new SignOnFailure('clock', why);
  if (causes.some(isAboutIssuer)) return new SignOnFailure('issuer', why);
  const isUnanswered =
    has('OAUTH_TIMEOUT', 'OAUTH_ABORT', 'OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_RESPONSE_IS_NOT_JSON') ||
    causes.some(({ message }) => message === 'fetch failed');
  return new SignOnFailure(isUnanswered ? 'provider_down' : 'refused', why);
};

/** Maximum difference between the clocks of both machines, in milliseconds. */
const SKEW_MS = 30_000;

/**
 * Checks the claims that the library does not check: `azp` with a single audience, `iat` and `sub`.
 * @param request `asked`: start of the authorization request, in milliseconds since 1970
 * @throws SignOnFailure
 */
const checkClaims = (
  { azp, iat, sub }: { readonly azp?: unknown; readonly iat: number; readonly sub: string },
  request: { readonly clientId: string; readonly asked: number },
  clock: Clock,
): void => {
  if (azp !== undefined && azp !== request.clientId) throw new SignOnFailure('refused', 'azp names another client');
  const issued = iat * 1000;
  if (!(issued >= request.asked - SKEW_MS && issued <= clock.now().getTime() + SKEW_MS))
    throw new SignOnFailure('clock', 'iat is before the sign-in began, or in the future');
  if (!isSubject(sub)) throw new SignOnFailure('refused', 'sub is empty, too long, or not plain text');
};

/** A client for one provider, based on openid-client. Fetches the discovery document when it is first needed. */
export class OidcClient {
  readonly provider: OidcProvider;
  readonly #clock: Clock;
  #known: { readonly configuration: Promise<Configuration>; readonly since: number } | undefined;

  constructor(provider: OidcProvider, clock: Clock) {
    this.provider = provider;
    this.#clock = clock;
  }

  /** @throws SignOnFailure */
  async #configuration(): Promise<Configuration> {
    const now = this.#clock.monotonic();
    if (this.#known === undefined || now - this.#known.since > KNOWN_MS) {
      const known = { configuration: configure(this.provider), since: now };
      this.#known = known;
      known.configuration.catch(() => {
        if (this.#known === known) this.#known = undefined;
      });
    }
    return await this.#known.configuration;
  }

  /**
   * Returns the address of the provider's sign-in page.
   * @throws SignOnFailure when the provider does not answer
   */
  async addressFor({
    state,
    nonce,
    verifier,
  }: Pick<AuthorizationRequest, 'state' | 'nonce' | 'verifier'>): Promise<string> {
    const { redirectUrl, scopes } = this.provider;
    try {
      const address = buildAuthorizationUrl(await this.#configuration(), {
        redirect_uri: redirectUrl,
        scope: scopes.join(' '),
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
      return address.href;
    } catch (error) {
      throw failureOf(error);
    }
  }

  /**
   * Returns the profile of the user at a callback, after checking state, issuer, code, signature, audience, times and
   * nonce.
   * @throws SignOnFailure
   */
  async profileFor(query: URLSearchParams, authorization: AuthorizationRequest): Promise<Profile> {
    try {
      const configuration = await this.#configuration();
      const address = new URL(this.provider.redirectUrl);
      address.search = query.toString();
      const tokens = await authorizationCodeGrant(configuration, address, {
        expectedState: authorization.state,
        expectedNonce: authorization.nonce,
        pkceCodeVerifier: authorization.verifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (!claims) throw new SignOnFailure('refused', 'the answer contains no ID token');
      checkClaims(
        claims,
        { clientId: this.provider.clientId, asked: authorization.expires - REQUEST_SECONDS * 1000 },
        this.#clock,
      );
      const all = await this.#withUserInfo(configuration, tokens.access_token, claims.sub, claims);
      return profileOf(this.provider, claims.sub, all);
    } catch (error) {
      throw error instanceof SignOnFailure ? error : failureOf(error);
    }
  }

  /** Adds claims of the userinfo endpoint that the ID token lacks. The signed token takes precedence. */
  async #withUserInfo(configuration: Configuration, token: string, subject: string, claims: Claims): Promise<Claims> {
    const lacks = Object.values(this.provider.claims).some((name) => readClaim(claims, name) === undefined);
    if (!lacks || configuration.serverMetadata().userinfo_endpoint === undefined) return claims;
    return { ...(await fetchUserInfo(configuration, token, subject)), ...claims };
  }
}
