import { describe, expect, it } from 'vitest';
import ipaddr from 'ipaddr.js';
import { isForbiddenAddress } from './address.js';
import { checkTarget } from './target.js';

const strict = { allowInsecure: false };
const isForbidden = (address: string) => isForbiddenAddress(address, 'https:', strict);

/** IANA's registry of special-purpose IPv4 addresses, and multicast, which has one of its own. */
const IPV4 = [
  ...['0.0.0.0/8', '0.0.0.0/32', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16'],
  ...['172.16.0.0/12', '192.0.0.0/24', '192.0.0.0/29', '192.0.0.8/32', '192.0.0.9/32'],
  ...['192.0.0.10/32', '192.0.0.170/32', '192.0.0.171/32', '192.0.2.0/24', '192.31.196.0/24'],
  ...['192.52.193.0/24', '192.88.99.0/24', '192.88.99.2/32', '192.168.0.0/16', '192.175.48.0/24'],
  ...['198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
  '255.255.255.255/32',
];

/** IANA's registry of special-purpose IPv6 addresses; and multicast, site-local, and forms that hold an IPv4 address. */
const IPV6 = [
  ...['::1/128', '::/128', '::ffff:0:0/96', '64:ff9b::/96', '64:ff9b:1::/48', '100::/64'],
  ...[
    '100:0:0:1::/64',
    '2001::/23',
    '2001::/32',
    '2001:1::1/128',
    '2001:1::2/128',
    '2001:1::3/128',
  ],
  ...['2001:2::/48', '2001:3::/32', '2001:4:112::/48', '2001:10::/28', '2001:20::/28'],
  ...['2001:30::/28', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20', '5f00::/16'],
  ...['fc00::/7', 'fe80::/10', 'ff00::/8', 'fec0::/10', '::/96', '::ffff:0:0:0/96'],
];

/** The first, the last and a middle address of a range, as bytes. */
function samples(cidr: string): readonly (readonly number[])[] {
  const [address, prefix] = ipaddr.parseCIDR(cidr);
  const low = BigInt(`0x${Buffer.from(address.toByteArray()).toString('hex')}`);
  const bits = address.kind() === 'ipv4' ? 32 : 128;
  const size = 1n << BigInt(bits - prefix);
  return [low, low + size / 2n, low + size - 1n].map((value) => [
    ...Buffer.from(value.toString(16).padStart(bits / 4, '0'), 'hex'),
  ]);
}

const show = (bytes: readonly number[]) => ipaddr.fromByteArray([...bytes]).toString();
const hex = (value: number) => value.toString(16);
const [octal, hexadecimal] = [
  (byte: number) => `0${byte.toString(8)}`,
  (byte: number) => `0x${hex(byte)}`,
];

/** Every way in which a URL may write an IPv4 address, or an IPv6 address around it. */
function notations(bytes: readonly number[]): readonly string[] {
  const [a = 0, b = 0, c = 0, d = 0] = bytes;
  const number = Buffer.from(bytes).readUInt32BE();
  const [high, low] = [hex(a * 256 + b), hex(c * 256 + d)];
  return [
    ...[bytes.join('.'), String(number), `0x${hex(number)}`, `0${number.toString(8)}`],
    ...[bytes.map(octal).join('.'), bytes.map(hexadecimal).join('.'), `${bytes.join('.')}.`],
    ...[`${a}.${number % 2 ** 24}`, `${a}.${b}.${c * 256 + d}`],
    ...[`[::ffff:${bytes.join('.')}]`, `[::ffff:${high}:${low}]`, `[::${bytes.join('.')}]`],
    ...[`[::ffff:0:${high}:${low}]`, `[64:ff9b::${high}:${low}]`, `[64:ff9b:1::${high}:${low}]`],
    ...[`[2002:${high}:${low}::]`, `[0:0:0:0:0:FFFF:${high}:${low}]`],
  ];
}

describe('an address of special purpose', () => {
  it.each([...IPV4, ...IPV6])('in %s is forbidden', (cidr) => {
    const found = samples(cidr).map(show);
    expect(found.filter((address) => !isForbidden(address))).toEqual([]);
  });

  it.each(IPV4)('in %s is recognised in every notation of a URL', (cidr) => {
    const urls = samples(cidr)
      .flatMap(notations)
      .map((host) => `https://${host}/hook`);
    const passed = urls.filter((url) => checkTarget(url, strict).ok);
    expect(passed).toEqual([]);
  });

  it.each(IPV6)('in %s is recognised in full and in capitals', (cidr) => {
    const full = samples(cidr).map((bytes) =>
      ipaddr.fromByteArray([...bytes]).toNormalizedString(),
    );
    const urls = full.flatMap((host) => [`https://[${host}]/`, `https://[${host.toUpperCase()}]/`]);
    expect(urls.filter((url) => checkTarget(url, strict).ok)).toEqual([]);
  });

  it.each([
    ...['1.0.0.0', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255'],
    ...['128.0.0.0', '169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0', '192.0.1.0'],
    ...['192.0.3.0', '192.31.195.255', '192.88.98.255', '192.167.255.255', '192.169.0.0'],
    ...['198.17.255.255', '198.20.0.0', '198.51.99.255', '203.0.112.255', '223.255.255.255'],
    ...['2000::', '2001:200::', '2001:db7:ffff::', '2001:db9::', '2003::', '2620:4f:7fff::'],
    ...['2a00::1', '3ffe:ffff::', '3fff:1000::', '3fff:ffff::'],
  ])('is none: %s is beside one, and allowed', (address) => {
    expect(isForbidden(address)).toBe(false);
  });

  it.each(['168.63.129.16', '0xa83f8110', '2606:2800::1%eth0', '5eff:ffff::1', '4000::1'])(
    'is not all that is forbidden: %s',
    (address) => expect(isForbidden(address)).toBe(true),
  );

  it.each([
    ...[['127.0.0.1', false] as const, ['127.9.9.9', false] as const, ['::1', false] as const],
    ...[['93.184.216.34', true] as const, ['2606:2800:220:1:248:1893:25c8:1946', true] as const],
    ...[['10.0.0.1', true] as const, ['::ffff:127.0.0.1', true] as const],
  ])('or not, over http it is forbidden unless it is loopback: %s', (address, expected) => {
    expect(isForbiddenAddress(address, 'http:', { allowInsecure: true })).toBe(expected);
    expect(isForbiddenAddress(address, 'http:', strict)).toBe(true);
  });
});
