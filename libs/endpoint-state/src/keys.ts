/** Where Redis keeps what is shared about one endpoint (rules/storage 7): all of it is on one slot. */
export interface EndpointKeys {
  /** Hash: how many attempts in a row have failed, since when, and until when no more are made. */
  readonly failures: string;
  /** List: when the attempts of the last second began, of an endpoint that has a bound of them. */
  readonly tokens: string;
}

/** An endpoint's deliveries may be of any partition: it has a hash tag of its own. */
export function endpointKeys(layoutId: string, endpointId: string): EndpointKeys {
  const prefix = `{sl:${layoutId}:${endpointId}}:worker`;
  return { failures: `${prefix}:failures`, tokens: `${prefix}:tokens` };
}
