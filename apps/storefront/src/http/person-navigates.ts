import type { CommandSource } from '#nest';

/**
 * Whether a browser says that a person goes to the page (Fetch Metadata). Chat programs that preview a link do not, and
 * neither does a browser that prepares a page in advance, or one that has reached us without https.
 */
export function personNavigates({ method, headers }: Pick<CommandSource, 'method' | 'headers'>) {
  const isAhead = /\bprefetch\b/.test(String(headers['sec-purpose'] ?? ''));
  return method === 'GET' && headers['sec-fetch-dest'] === 'document' && !isAhead;
}
