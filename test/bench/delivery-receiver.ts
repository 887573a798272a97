import type { IncomingMessage } from 'node:http';
import { eventually } from '../support/eventually.js';
import { type Receiver, startReceiver } from './receiver.js';

const LIMIT_MS = 180_000;

/** A receiver that knows which messages came, and when. */
export interface DeliveryReceiver extends Receiver {
  /** When each message first came, by `<path> <subject> <number>`, on this process' clock. */
  readonly arrivedAtMs: ReadonlyMap<string, number>;
  /** The body that came last. */
  readonly lastBody: () => string;
  /** Waits until all of these came. @returns when the last of them did. */
  untilAll(messages: readonly string[]): Promise<number>;
}

export async function startDeliveryReceiver(): Promise<DeliveryReceiver> {
  const arrivedAtMs = new Map<string, number>();
  let lastBody = '';
  const receiver = await startReceiver((request, body) => {
    lastBody = body;
    const key = nameMessage(request, body);
    if (!arrivedAtMs.has(key)) arrivedAtMs.set(key, performance.now());
  });
  return {
    ...{ ...receiver, arrivedAtMs, lastBody: () => lastBody },
    untilAll: async (messages) => {
      let missing = 0;
      const areThere = () => {
        while (missing < messages.length && arrivedAtMs.has(messages[missing] ?? '')) missing += 1;
        return missing === messages.length;
      };
      await eventually(areThere, { what: 'the messages', limitMs: LIMIT_MS });
      return Math.max(...messages.map((message) => arrivedAtMs.get(message) ?? 0));
    },
  };
}

/** The subject stands first in the message's data. */
function nameMessage({ url = '', headers }: IncomingMessage, body: string): string {
  const from = body.indexOf('"id":"') + '"id":"'.length;
  const subject = body.slice(from, body.indexOf('"', from));
  return `${url} ${subject} ${String(headers['service-event-sequence'])}`;
}
