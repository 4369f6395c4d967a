import { CLIENT_ID, CLIENT_SECRET, startIdentityProvider } from './identity-provider.ts';

/** What a test from outside tells it to answer instead of what it would: claims of every ID token, addresses of people. */
interface ProviderBehaviour {
  readonly idToken?: Readonly<Record<string, unknown>>;
  readonly emails?: Readonly<Record<string, string>>;
}

/** `node identity-provider.child.ts <redirect address>`: a provider for tests from outside; prints how it is reached. */
const { issuer, people, tampering } = await startIdentityProvider(process.argv.slice(2));
process.on('message', ({ idToken, emails }: ProviderBehaviour) => {
  tampering.idToken = idToken && ((claims) => ({ ...claims, ...idToken }));
  people.clear();
  for (const [login, email] of Object.entries(emails ?? {})) people.set(login, { sub: login, email });
  process.send?.('heard');
});
process.stdout.write(`${JSON.stringify({ issuer, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET })}\n`);
