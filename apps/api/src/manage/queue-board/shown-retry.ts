/** The fields of a retry's job that the board shows: ids, times and the code of the last error. */
const SHOWN = [...['endpointId', 'messageId', 'member', 'firstFailedAtMs', 'enabledAt', 'reason']];

/**
 * The data of a job as the board shows it. Other fields, such as another release's, are left out, however harmless they
 * are: no body, header or secret is ever shown there (decision 0031).
 */
export function showRetry(data: unknown): Readonly<Record<string, unknown>> {
  if (typeof data !== 'object' || data === null) return {};
  return Object.fromEntries(Object.entries(data).filter(([name]) => SHOWN.includes(name)));
}
