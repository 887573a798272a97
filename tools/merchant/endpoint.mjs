/**
 * The merchant's webhook endpoint: it is registered, checks both signatures of every webhook, and names the missing
 * ones before one, and whether it is late or was seen before. It is all that a receiver has to do.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { call } from '../demo.mjs';
import { ToolError } from '../process.mjs';
import { describeOrder, SequenceTracker } from '../sequence-tracker.mjs';

/** Standard Webhooks: a delivery whose timestamp is further off may be a replay. */
const TOLERANCE_SECONDS = 300;
/** A checkpoint of the whole ledger: it is asked for by this name, and never by `*`. */
export const SEALED = 'ledger.sealed';

export class Endpoint {
  #tracker = new SequenceTracker();
  #demo;
  #secret;
  id = '';

  constructor(demo) {
    this.#demo = demo;
  }

  /**
   * From then on webhooks of all types come to this address.
   *
   * @param isWitness whether checkpoints of the ledger are wanted, too: they come where the app may witness it.
   * @returns whether they come.
   */
  async register(url, isWitness = false) {
    const answer = await this.#create(url, isWitness ? ['*', SEALED] : ['*']);
    if (isWitness && answer.status === 400) {
      await this.register(url);
      return false;
    }
    const body = await answer.json();
    if (!answer.ok) throw new ToolError(`The endpoint was refused: ${body.message}`, 'refused');
    this.id = body.id;
    this.#secret = Buffer.from(body.secret.slice('whsec_'.length), 'base64');
    return isWitness;
  }

  #create(url, eventTypes) {
    const address = `/manage/apps/${this.#demo.appId}/webhook-endpoints`;
    return call(this.#demo, 'POST', address, JSON.stringify({ url, eventTypes }));
  }

  async remove() {
    const address = `/manage/apps/${this.#demo.appId}/webhook-endpoints/${this.id}`;
    await call(this.#demo, 'DELETE', address).catch(() => undefined);
  }

  /**
   * Takes a webhook as it came. The same webhook-id may come twice: delivery is at least once. A webhook that is not
   * ours is not counted, and its body is not read.
   */
  take(headers, body) {
    const isGenuine = this.#secret !== undefined && verify(this.#secret, headers, body);
    const parsed = isGenuine ? JSON.parse(body.toString('utf8')) : {};
    const { type = 'unsigned' } = parsed;
    const [id, sequence] = [headers['webhook-id'], headers['service-event-sequence']];
    // The family v2 has `data`, v1 has `eventData`, and a purchase has a name of its own.
    const data = parsed.data ?? parsed.purchaseSucceeded ?? parsed.eventData ?? {};
    // Of v1, a cart alone has its subject in its body; a checkpoint is of the whole ledger.
    const subject = { MUTATE_CART: { id: data.cartId }, [SEALED]: { id: 'ledger' } }[type] ?? data;
    const taken = { id, sequence: Number(sequence), data: subject };
    const fits = isGenuine ? this.#tracker.take(taken) : {};
    return {
      ...{ id, type, sequence, isGenuine, isRepeated: fits.order === 'duplicate' },
      fits,
      data,
    };
  }

  summarize() {
    return this.#tracker.summarize();
  }
}

/** A webhook as one line. */
export function describeWebhook({ id, type, sequence, isGenuine, fits, data }) {
  const order = isGenuine ? describeOrder(fits) : '';
  const note = [isGenuine ? 'signature ok' : 'WRONG SIGNATURE', ...(order === '' ? [] : [order])];
  const about = data.status ?? data.total ?? data.itemId ?? '';
  return `${new Date().toISOString()}  #${sequence} ${type.padEnd(32)} ${about}  ${id}  (${note.join(', ')})`;
}

/** Both signatures are over the received bytes, with the same secret (rules/webhooks 4). */
function verify(secret, headers, body) {
  const timestamp = Number(headers['webhook-timestamp']);
  if (!(Math.abs(Date.now() / 1000 - timestamp) <= TOLERANCE_SECONDS)) return false;
  const signed = Buffer.concat([Buffer.from(`${headers['webhook-id']}.${timestamp}.`), body]);
  const expected = `v1,${createHmac('sha256', secret).update(signed).digest('base64')}`;
  const given = String(headers['webhook-signature']).split(' ');
  const plain = createHmac('sha256', secret).update(body).digest('base64');
  return (
    given.some((one) => isEqual(one, expected)) &&
    isEqual(String(headers['service-hmac-signature']), plain)
  );
}

function isEqual(left, right) {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
