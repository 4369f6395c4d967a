import { CLIENT_ID, CLIENT_SECRET, startIdentityProvider } from './identity-provider.ts';

/** `node identity-provider.child.ts <redirect address>`: a provider for tests from outside; prints how it is reached. */
const { issuer } = await startIdentityProvider(process.argv.slice(2));
process.stdout.write(`${JSON.stringify({ issuer, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET })}\n`);
