import { BlockList, isIP } from 'node:net';

/** The proxies in front of a program, whose headers about a caller are believed (rules/http 12). */
export interface TrustedProxies {
  /** As they were set. */
  readonly text: string;
  /** Whether an address, as a socket or a header has it, is one of them. */
  has(address: string): boolean;
}

/** A chain of proxies is short; a cloud's list of ranges is long. */
const MAX_ENTRIES = 500;
const MAX_BITS = { 4: 32, 6: 128 };
/** The prefix that a socket for both kinds of addresses puts before one of the older kind. */
const MAPPED = /^::ffff:(?=\d+\.)/i;

/**
 * Addresses and ranges of them, `10.0.0.7,10.1.0.0/16,2001:db8::/32`.
 *
 * @throws Error that names the bad part. A range of all addresses is refused: it would believe everybody.
 */
export function parseTrustedProxies(text: string): TrustedProxies {
  const entries = text.split(',').map((entry) => entry.trim());
  if (entries.length > MAX_ENTRIES) throw new Error(`must hold at most ${MAX_ENTRIES} entries`);
  const list = new BlockList();
  for (const entry of entries) addEntry(list, entry);
  return {
    text,
    has: (given) => {
      const address = parseAddress(given);
      return address !== undefined && list.check(address, chooseFamily(address));
    },
  };
}

/** For a program without trusted proxies. */
export const NO_PROXIES: TrustedProxies = { text: '', has: () => false };

/**
 * An IP address as sockets and proxies write it, the port and brackets of some left out. Undefined for anything else,
 * such as the `unknown` of RFC 7239.
 */
export function parseAddress(text: string): string | undefined {
  const [, bracketed = text] = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(text) ?? [];
  const [, withoutPort = bracketed] = /^([\d.]+):\d{1,5}$/.exec(bracketed) ?? [];
  const address = withoutPort.replace(MAPPED, '');
  // The zone of a link-local address is a name of this machine's own.
  return isIP(address) === 0 || address.includes('%') ? undefined : address;
}

function addEntry(list: BlockList, entry: string): void {
  const [address = '', bits, ...more] = entry.split('/');
  const version = isIP(address);
  const complaint = new Error(
    `must hold addresses and ranges such as 10.0.0.7 or 10.0.0.0/8, which ${JSON.stringify(entry)} is not`,
  );
  if ((version !== 4 && version !== 6) || address.includes('%') || more.length > 0) throw complaint;
  if (bits === undefined) {
    list.addAddress(address, chooseFamily(address));
    return;
  }
  const length = Number(bits);
  if (!/^[1-9]\d{0,2}$/.test(bits) || length > MAX_BITS[version]) throw complaint;
  list.addSubnet(address, length, chooseFamily(address));
}

function chooseFamily(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}
