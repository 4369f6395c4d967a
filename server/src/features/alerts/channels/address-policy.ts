import { BlockList, isIP } from 'node:net';

/** Names for networks that are not of the public internet. */
const NETWORK_NAMES = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
} as const satisfies Record<string, readonly string[]>;

/** What no stranger on the internet has: addresses of this machine, of its own networks, or of nobody. */
const NOT_PUBLIC = [
  ...Object.values(NETWORK_NAMES).flat(),
  ...['0.0.0.0/8', '100.64.0.0/10', '192.0.0.0/24', '198.18.0.0/15', '224.0.0.0/4', '240.0.0.0/4'],
  // The last three lead on to an IPv4 address that is written inside them.
  ...['::/128', 'ff00::/8', '64:ff9b::/96', '2001::/32', '2002::/16'],
];

/** Where clouds tell a machine its own secrets: nobody posts alerts there. */
const METADATA = ['169.254.169.254/32', '100.100.100.200/32', 'fd00:ec2::254/128'];

const blockList = (networks: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const isFour = isIP(address) === 4;
    list.addSubnet(address, bits === undefined ? (isFour ? 32 : 128) : Number(bits), isFour ? 'ipv4' : 'ipv6');
  }
  return list;
};

/** Whether something may be posted to an IP address. */
export type AddressPolicy = (address: string) => boolean;

/**
 * Lets posts go to the public internet, and to networks that are named; never to where clouds keep secrets.
 * @param networks such as `10.0.0.0/8`, or names of `NETWORK_NAMES`
 */
export const addressPolicy = (networks: readonly string[]): AddressPolicy => {
  const named = networks.flatMap((one) => NETWORK_NAMES[one as keyof typeof NETWORK_NAMES] ?? [one]);
  const [allowed, metadata, notPublic] = [blockList(named), blockList(METADATA), blockList(NOT_PUBLIC)];
  return (address) => {
    const bare = address.split('%')[0] ?? '';
    const family = isIP(bare);
    if (family === 0) return false;
    const type = family === 4 ? 'ipv4' : 'ipv6';
    if (metadata.check(bare, type)) return false;
    return allowed.check(bare, type) || !notPublic.check(bare, type);
  };
};
