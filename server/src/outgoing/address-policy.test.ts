import { describe, expect, it } from 'vitest';
import { addressPolicy } from './address-policy.ts';

const PUBLIC = ['93.184.215.14', '8.8.8.8', '2606:4700::1111', '::ffff:8.8.8.8'];
const PRIVATE = ['10.1.2.3', '172.31.255.255', '192.168.0.1', 'fd12:3456::1', '::ffff:10.1.2.3'];
const LOOPBACK = ['127.0.0.1', '127.8.9.10', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1'];
const LINK = ['169.254.1.1', 'fe80::1', 'fe80::1%eth0'];
const NEVER = [
  ...['169.254.169.254', '::ffff:169.254.169.254', '100.100.100.200', 'fd00:ec2::254'],
  ...['169.254.170.2', '169.254.170.23', '168.63.129.16', 'fd00:ec2::23', 'fd20:ce::254', 'fe80::a9fe:a9fe'],
  // Reserved addresses, and those that contain an IPv4 address.
  ...['0.0.0.0', '255.255.255.255', '224.0.0.1', '::', 'ff02::1', '64:ff9b::7f00:1', '2002:7f00:1::', '2001:0:1::'],
  ...['64:ff9b:1::7f00:1', '::ffff:0:127.0.0.1', '::127.0.0.1', 'fec0::1'],
  ...['', 'localhost', '127.0.0.1.example', '1.2.3'],
];

describe('a request to an address of a project', () => {
  it.each([
    [['uniquelocal'], [...PUBLIC, ...PRIVATE], [...LOOPBACK, ...LINK, ...NEVER]],
    [[], PUBLIC, [...PRIVATE, ...LOOPBACK, ...LINK, ...NEVER]],
    [['loopback'], [...PUBLIC, ...LOOPBACK], [...PRIVATE, ...LINK, ...NEVER]],
    [['loopback', 'linklocal', 'uniquelocal'], [...PUBLIC, ...PRIVATE, ...LOOPBACK, ...LINK], NEVER],
    [
      ['10.1.0.0/16', '192.168.0.1', 'fd12::/16'],
      ['10.1.2.3', '192.168.0.1', 'fd12:3456::1'],
      ['10.2.0.1', '192.168.0.2'],
    ],
  ])('with the networks %j goes to allowed addresses only', (networks, allowed, refused) => {
    const may = addressPolicy(networks);
    expect(allowed.filter((address) => !may(address))).toEqual([]);
    expect(refused.filter((address) => may(address))).toEqual([]);
  });
});
