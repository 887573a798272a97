import { isIP } from 'node:net';
import { isForbiddenAddress, type TargetRules } from './address.js';

export type TargetCheck =
  { readonly ok: true } | { readonly ok: false; readonly reason: TargetRefusal };

/** Why an address is refused; a value, so that whoever creates an endpoint can be told. */
export type TargetRefusal =
  | 'it is not a URL'
  | 'its scheme is not https'
  | 'it contains credentials'
  | 'it leads to an address that is not public';

/**
 * What can be said of a URL without asking anybody (decisions 8): its scheme, its credentials, its
 * host where that is an address or a name of this machine. URLs are read as WHATWG has them, so that
 * decimal, octal and hexadecimal spellings of an address are that address.
 */
export function checkTarget(url: string, rules: TargetRules): TargetCheck {
  if (!URL.canParse(url)) return refused('it is not a URL');
  const { protocol, username, password, hostname } = new URL(url);
  const isSecure = protocol === 'https:';
  if (!isSecure && !(rules.allowInsecure && protocol === 'http:')) {
    return refused('its scheme is not https');
  }
  if (username !== '' || password !== '') return refused('it contains credentials');
  return isForbiddenHost(hostname, rules)
    ? refused('it leads to an address that is not public')
    : { ok: true };
}

function isForbiddenHost(hostname: string, rules: TargetRules): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (isIP(host) !== 0) return isForbiddenAddress(host, rules);
  // RFC 6761: these names are loopback, whatever a resolver says.
  return !rules.allowInsecure && (host === 'localhost' || host.endsWith('.localhost'));
}

function refused(reason: TargetRefusal): TargetCheck {
  return { ok: false, reason };
}
