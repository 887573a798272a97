import { expect, it } from 'vitest';
import { EVENT_TYPES } from '#domain/event-types';
import { decidePriceSheet, evolvePriceSheet, noPriceSheet } from '#domain/price-sheet';
import { taxRatesAggregate } from '#domain/pricing';
import { clampTime } from '../../libs/event-store/src/commands/command-context.js';
import { play } from '../support/play.js';
import { STORIES } from './stories/all-stories.js';

const SKEW_MS = 5_000;
/** Before nothing is known: they begin their stream. */
const FIRST = new Set([
  ...['app.created.v1', 'plan.created.v1', 'checkout_link.created.v2', 'order.created.v1'],
  ...['checkout_link.change_created.v1', 'order_link.created.v1', 'webhook_endpoint.created.v2'],
]);
/** The moments that something is agreed for, of the wall clock, or of another event (rules/events 3). */
const OTHER_TIMES = new Set([
  ...[
    'expiresAt',
    'wallExpiresAt',
    'linkExpiresAt',
    'oldExpiresAt',
    'useFrom',
    'accessEndsAt',
    'dueAt',
  ],
  ...['quotedAt', 'lockedAt', 'priceLockedAt', 'wallAttemptedAt', 'wallGivenUpAt', 'wallOpenedAt'],
]);
/** Of events whose own time is one of those, or is held to the state by their decider. */
const OTHER_TIMES_OF: Readonly<Record<string, string>> = {
  'checkout_link.paid.v1': 'capturedAt',
  'subscription.expired.v1': 'expiredAt',
  'loyalty.order_recorded.v1': 'paidAt',
  'settlement.row_imported.v1': 'createdAt',
  'operator_token.issued.v1': 'issuedAt',
  'operator_token.revoked.v1': 'revokedAt',
  'webhook_endpoint.secret_rotated.v1': 'rotatedAt',
};

/** No command decides these. */
const UNDECIDED = new Set([
  ...['activity.item_viewed.v1', 'activity.item_page_viewed.v1', 'activity.cart_button_clicked.v1'],
  ...['activity.checkout_page_viewed.v1', 'catalog.call_failed.v1', 'price_sheet_rows.stored.v1'],
  'seal_notice.recorded.v1',
]);
const AT = '2026-06-01T00:00:00.000Z';
const content = { contentHash: 'a', rowCount: 2, priceIdCount: 1, rowsStream: 'a', chunkCount: 1 };
const prices = play(
  { initialState: noPriceSheet, evolve: evolvePriceSheet, decide: decidePriceSheet },
  { kind: 'UploadPriceSheet', content, comparedWith: null, uploadedBy: 'operator:fin', now: AT },
);
const rates = [{ country: 'DE', rate: '0.19', inclusive: true }];
const taxes = play(taxRatesAggregate.decider, {
  ...{ kind: 'SetTaxRates', rates, setBy: 'operator:fin', now: AT },
});

interface Event {
  readonly type: string;
  readonly data: unknown;
}

/** Every `...At` in the data, however deep. */
function listTimes(value: unknown, name = ''): (readonly [name: string, at: string])[] {
  if (typeof value === 'string') return /At$/.test(name) ? [[name, value]] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => listTimes(each, key));
}

/**
 * The last event that the stream of a command has, so that the command is late; of one without a time, far ahead of it.
 */
function readKnown(command: unknown): string {
  const { now } = command as { readonly now?: string };
  return now === undefined ? '9999' : new Date(Date.parse(now) + SKEW_MS).toISOString();
}

/** The times of an event's own moment. */
function listOwnTimes({ type, data }: Event) {
  if (FIRST.has(type)) return [];
  return listTimes(data).filter(
    ([name]) => !OTHER_TIMES.has(name) && OTHER_TIMES_OF[type] !== name,
  );
}

/** rules/events 3, for the commands of all deciders */
it('a command of a machine whose clock is behind gives rise to no time before what its stream knows', () => {
  const late = new Set<string>();
  const seen = new Set(UNDECIDED);
  const repeated = [...STORIES, prices, taxes].flatMap(
    ({ again }) => again?.((command) => clampTime(command, readKnown(command))) ?? [],
  );
  for (const { command, events } of repeated) {
    // Deciders give rise to events.
    for (const event of events as readonly Event[]) {
      seen.add(event.type);
      for (const [name, at] of listOwnTimes(event)) {
        if (at < readKnown(command)) late.add(`${event.type} ${name}`);
      }
    }
  }
  expect([...late]).toEqual([]);
  expect(EVENT_TYPES.filter((type) => !seen.has(type))).toEqual([]);
});
