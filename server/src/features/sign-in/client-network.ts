import { isIP } from 'node:net';

/** Groups of an IPv6 address that identify the network. A client can choose the other four freely. */
const NETWORK_GROUPS = 4;
const MAPPED_IPV4 = '0:0:0:0:0:ffff';

const groupsOf = (address: string): string[] => {
  const { hostname } = new URL(`http://[${address.split('%')[0]}]`);
  const [head = '', tail = ''] = hostname.slice(1, -1).split('::');
  const [before, after] = [head, tail].map((part) => (part === '' ? [] : part.split(':'))) as [string[], string[]];
  return [...before, ...Array(8 - before.length - after.length).fill('0'), ...after];
};

const ipv4Of = (groups: readonly string[]): string =>
  groups
    .flatMap((group) => {
      const value = Number.parseInt(group, 16);
      return [value >> 8, value & 0xff];
    })
    .join('.');

/**
 * Returns the network by which sign-in attempts are counted: the address for IPv4, the /64 network for IPv6, because
 * one client usually controls a whole /64. Returns other text unchanged.
 */
export const networkOf = (address: string): string => {
  if (isIP(address) !== 6) return address;
  const groups = groupsOf(address);
  if (groups.slice(0, 6).join(':') === MAPPED_IPV4) return ipv4Of(groups.slice(6));
  return `${groups.slice(0, NETWORK_GROUPS).join(':')}::/64`;
};
