import type { QueuedMessage } from '../../../apps/worker/src/delivery/queued-message.js';

const at = (n: number) => String(n).padStart(20, '0');

/** A message of one subject to one endpoint; its event stands at a position of the same number. */
export function createMessage(sequence: number, subject = 'sub_1'): QueuedMessage {
  return {
    endpointId: 'whe_1',
    appId: 'app_1',
    messageId: `msg_${subject}_${sequence}`,
    type: 'subscription.created',
    subject,
    sequence,
    player: 'player-1',
    sealedBody: 'plain:{"type":"subscription.created","data":{}}',
    inFlight: `${at(sequence)} whe_1 subscription-${subject} ${sequence} subscription.created`,
    enqueuedAtMs: 1_700_000_000_000,
  };
}
