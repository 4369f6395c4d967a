import { Agent } from 'node:https';
import { getCACertificates } from 'node:tls';

/** How a runner reaches its server by HTTPS. */
export interface ServerAccess {
  /** Variables that name the proxy and the addresses without one: `https_proxy`, `no_proxy`. */
  readonly proxy: Readonly<Record<string, string>>;
  /** Certificates of private authorities, in PEM; empty for those of the system only. */
  readonly ca: string;
}

/** Makes connections to an https address, through the proxy and with the private authorities. Other addresses need none. */
export const makeServerAgent = (url: string, { proxy, ca }: ServerAccess): Agent | undefined =>
  /^(https|wss):/i.test(url)
    ? // The certificates of NODE_EXTRA_CA_CERTS are among the default ones.
      new Agent({ proxyEnv: proxy, ...(ca === '' ? {} : { ca: [...getCACertificates('default'), ca] }) })
    : undefined;
