import ipaddr from 'ipaddr.js';

/** The addresses that a caller may reach beyond the public internet, and the public ones that it may not. */
export interface TargetRules {
  /** http and loopback: for test apps where the configuration says so (rules/http 1). */
  readonly allowInsecure: boolean;
  /** The ports that requests of ours may go to. Without them, all: it is not this machine that goes there. */
  readonly ports?: AllowedPorts;
}

/** How a target is spoken to: over TLS, or in the clear. */
export type Scheme = 'https:' | 'http:';

/** Global unicast (RFC 4291): an address outside of it leads to no public host, or to ourselves. */
const GLOBAL_UNICAST: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/**
 * Public by range, yet answered by the host of a virtual machine: Azure's metadata and agent
 * address.
 */
const METADATA_ADDRESSES: ReadonlySet<string> = new Set(['168.63.129.16']);

/**
 * Whether nothing may be sent to this address: loopback, private, link-local, CGNAT, multicast, metadata and
 * unique-local ones, all others of IANA's registries of special-purpose addresses, and all that carry an IPv4 address
 * inside (mapped, NAT64, 6to4), since they lead elsewhere than they look (rules/http 1). Over http every address but
 * loopback is forbidden, since clear text may not leave the machine. Text that is no address is forbidden, too, and so
 * is one that names an interface of this machine.
 */
export function isForbiddenAddress(
  address: string,
  scheme: Scheme,
  { allowInsecure }: TargetRules,
): boolean {
  if (!ipaddr.isValid(address) || address.includes('%')) return true;
  const parsed = ipaddr.parse(address);
  const range = parsed.range();
  if (allowInsecure && range === 'loopback') return false;
  if (scheme === 'http:') return true;
  if (METADATA_ADDRESSES.has(parsed.toString()) || range !== 'unicast') return true;
  return parsed instanceof ipaddr.IPv6 && !parsed.match(GLOBAL_UNICAST);
}

/** Ports that webhooks may go to: each range from its first to its last one. */
export type AllowedPorts = readonly (readonly [first: number, last: number])[];

/**
 * That of https, and all that need no privileges: receivers are often at 8443 and the like. Other ports below 1024 are
 * for mail, names, files and directories, which no webhook is for (rules/http 1).
 */
export const DEFAULT_PORTS: AllowedPorts = [
  [443, 443],
  [1024, 65_535],
];

/** @throws Error that says how ports are written. */
export function parsePorts(text: string): AllowedPorts {
  return text.split(',').map((part) => {
    const [, first = '', last = first] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(part.trim()) ?? [];
    const range = [Number(first), Number(last)] as const;
    if (range[0] >= 1 && range[0] <= range[1] && range[1] <= 65_535) return range;
    throw new Error('must be ports and ranges of them, 1 to 65535: 443,8000-8999');
  });
}

/** Whether a URL of https leads to one of these ports. */
export function isAllowedPort({ port }: URL, ports: AllowedPorts): boolean {
  const number = port === '' ? 443 : Number(port);
  return ports.some(([first, last]) => number >= first && number <= last);
}
