import { BlockList, isIP } from 'node:net';

/** Names for private networks. */
const NETWORK_NAMES = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
} as const satisfies Record<string, readonly string[]>;

/** Addresses that are not on the public internet: of this machine, of private networks, and reserved ones. */
const NOT_PUBLIC = [
  ...Object.values(NETWORK_NAMES).flat(),
  ...['0.0.0.0/8', '100.64.0.0/10', '192.0.0.0/24', '198.18.0.0/15', '224.0.0.0/4', '240.0.0.0/4'],
  ...['::/128', 'ff00::/8', 'fec0::/10'],
  // These contain an IPv4 address that the packets are forwarded to.
  ...['::/96', '::ffff:0:0:0/96', '64:ff9b::/96', '64:ff9b:1::/48', '2001::/32', '2002::/16'],
];

/** Metadata services of clouds, which return secrets of the machine. Never allowed. */
const METADATA = [
  ...['169.254.169.254/32', '169.254.170.2/32', '169.254.170.23/32', '100.100.100.200/32', '168.63.129.16/32'],
  ...['fd00:ec2::254/128', 'fd00:ec2::23/128', 'fd20:ce::254/128', 'fe80::a9fe:a9fe/128'],
];

const blockList = (networks: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const isFour = isIP(address) === 4;
    list.addSubnet(address, bits === undefined ? (isFour ? 32 : 128) : Number(bits), isFour ? 'ipv4' : 'ipv6');
  }
  return list;
};

/** Returns whether a request may be sent to an IP address. */
export type AddressPolicy = (address: string) => boolean;

/**
 * Allows requests to the public internet and to the given networks, and never to metadata services of clouds.
 * @param networks such as `10.0.0.0/8`, or names of `NETWORK_NAMES`
 */
export const addressPolicy = (networks: readonly string[]): AddressPolicy => {
  const named = networks.flatMap((one) => NETWORK_NAMES[one as keyof typeof NETWORK_NAMES] ?? [one]);
  const [allowed, metadata, notPublic] = [blockList(named), blockList(METADATA), blockList(NOT_PUBLIC)];
  return (address) => {
    const bare = address.split('%')[0] ?? '';
    const version = isIP(bare);
    if (version === 0) return false;
    const type = version === 4 ? 'ipv4' : 'ipv6';
    if (metadata.check(bare, type)) return false;
    return allowed.check(bare, type) || !notPublic.check(bare, type);
  };
};
