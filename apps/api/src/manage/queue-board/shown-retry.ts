/** What a retry's job holds that the board shows: ids, times and the code of the last error. */
const SHOWN = [...['endpointId', 'messageId', 'member', 'firstFailedAtMs', 'enabledAt', 'reason']];

/**
 * The data of a job as the board shows it. What another release may have put beside these fields is left out, however
 * harmless it is: no body, header or secret is ever shown there (decision 0031).
 */
export function showRetry(data: unknown): Readonly<Record<string, unknown>> {
  if (typeof data !== 'object' || data === null) return {};
  return Object.fromEntries(Object.entries(data).filter(([name]) => SHOWN.includes(name)));
}
