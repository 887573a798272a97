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
