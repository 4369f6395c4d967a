import { CLIENT_ID, CLIENT_SECRET, startIdentityProvider } from './identity-provider.ts';

/**
 * Values that a test in another process sets instead of the usual answers: claims of every ID token, addresses of
 * users.
 */
interface ProviderBehaviour {
  readonly idToken?: Readonly<Record<string, unknown>>;
  readonly emails?: Readonly<Record<string, string>>;
}

/**
 * `node identity-provider.child.ts <redirect address>`: a provider for tests in other processes. Prints its address.
 */
const { issuer, people, tampering } = await startIdentityProvider(process.argv.slice(2));
process.on('message', ({ idToken, emails }: ProviderBehaviour) => {
  tampering.idToken = idToken && ((claims) => ({ ...claims, ...idToken }));
  people.clear();
  for (const [login, email] of Object.entries(emails ?? {})) people.set(login, { sub: login, email });
  process.send?.('heard');
});
process.stdout.write(`${JSON.stringify({ issuer, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET })}\n`);
