import { at } from '../../../spec-support/fakes.js';
import type { Delivery } from '../outgoing-messages.js';

/** A delivery of the message of an event by its number. */
export function delivery(n: number, target = 'whe_1', subject = `sub_${n}`): Delivery {
  const member = `${at(n)} ${target} ${subject} ${n} 0 msg_${n}`;
  const of = { position: at(n), target, streamName: subject, revision: n };
  return { member, ...of, messageId: `msg_${n}` };
}
