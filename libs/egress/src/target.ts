import { isIP } from 'node:net';
import { isAllowedPort, isForbiddenAddress, type Scheme, type TargetRules } from './address.js';
import { isLoopbackName } from './names.js';

export type TargetCheck =
  { readonly ok: true } | { readonly ok: false; readonly reason: TargetRefusal };

/** Why an address is refused; a value, so that the refusal of an endpoint can name it. */
export type TargetRefusal =
  | 'it is not a URL'
  | 'it contains white space or control characters'
  | 'its scheme is not https'
  | 'it is http, and leads beyond this machine'
  | 'it contains credentials'
  | 'its port is none that webhooks may go to'
  | 'it leads to an address that is not public';

/**
 * Judges a URL without resolving names (rules/http 1): its scheme, credentials and port, and its host
 * where that is an address or a name of this machine. The WHATWG parser reads it, so that decimal,
 * octal and hexadecimal spellings of an address are recognised as that address.
 */
export function checkTarget(url: string, rules: TargetRules): TargetCheck {
  // WHATWG drops these: the checked address would not be the written one.
  if (/[\s\p{Cc}]/u.test(url)) return refused('it contains white space or control characters');
  // A browser takes `https:host` on a page of the same scheme for a path of that page's own host.
  if (!/^[a-z]+:\/\//i.test(url) || !URL.canParse(url)) return refused('it is not a URL');
  const parsed = new URL(url);
  const { protocol, username, password, hostname } = parsed;
  const isPlain = rules.allowInsecure && protocol === 'http:';
  if (protocol !== 'https:' && !isPlain) return refused('its scheme is not https');
  if (username !== '' || password !== '') return refused('it contains credentials');
  // A request in the clear stays on the developer's own machine, whose ports are the developer's choice.
  const { ports } = rules;
  if (!isPlain && ports !== undefined && !isAllowedPort(parsed, ports)) {
    return refused('its port is none that webhooks may go to');
  }
  if (!isForbiddenHost(hostname, protocol, rules)) return { ok: true };
  return refused(
    isPlain
      ? 'it is http, and leads beyond this machine'
      : 'it leads to an address that is not public',
  );
}

function isForbiddenHost(hostname: string, scheme: Scheme, rules: TargetRules): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (isIP(host) !== 0) return isForbiddenAddress(host, scheme, rules);
  // RFC 6761: these names are loopback, whatever a resolver says.
  return isLoopbackName(host) ? !rules.allowInsecure : scheme === 'http:';
}

function refused(reason: TargetRefusal): TargetCheck {
  return { ok: false, reason };
}
