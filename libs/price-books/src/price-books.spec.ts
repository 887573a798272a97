import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ConversionRequest } from '#domain/price-sheet';
import { currentPriceSheet, priceSheetAggregate } from '#domain/price-sheet';
import { taxRatesAggregate } from '#domain/pricing';
import { createCommandExecutor, type CommandContext, openLiveAggregates } from '#event-store';
import { createLogger, Fault } from '#platform';
// A twin of the store, for specs of its users.
import {
  FollowedMemoryStore,
  settled,
} from '../../event-store/src/follow/spec-support/followed-memory-store.js';
import { PRICE_AGGREGATES, PriceBooks } from './price-books.js';
import { PriceSheetReader } from './price-sheet-reader.js';
import { hashContent, storeRows } from './stored-sheets.js';

const NOW = '2027-06-01T00:00:00.000Z';
const LATER = '2027-07-01T00:00:00.000Z';
const APP = 'app_1';
const context: CommandContext = {
  appId: APP,
  environment: 'test',
  actor: 'operator:fin',
  correlationId: 'spec',
  now: NOW,
};

let store: FollowedMemoryStore;
let books: PriceBooks;
let stop: AbortController;
let commands: ReturnType<typeof createCommandExecutor>;

beforeEach(async () => {
  store = new FollowedMemoryStore();
  commands = createCommandExecutor(store);
  stop = new AbortController();
  store.publishesAppends = true;
  await open();
});

afterEach(() => stop.abort());

/** A process starts. */
async function open(): Promise<void> {
  const log = createLogger('spec', { level: 'silent' });
  const { signal } = stop;
  const aggregates = PRICE_AGGREGATES;
  const live = await openLiveAggregates({ store, commands, aggregates, signal, log });
  books = new PriceBooks({ store, live, log });
}

async function upload(amount: string): Promise<void> {
  const reader = new PriceSheetReader(NOW);
  const csv = `priceId,country,currency,amount\ngems,US,USD,9.99\ngems,DE,EUR,${amount}\n`;
  reader.write(Buffer.from(csv));
  const reading = reader.finish();
  if (!reading.accepted) throw new Error('a bad sheet');
  const { sheet } = reading;
  const content = await storeRows(store, sheet, await hashContent(sheet), context);
  const { state } = await commands.load(priceSheetAggregate, APP);
  const comparedWith = currentPriceSheet(state)?.version ?? null;
  const uploadedBy = 'spec';
  const command = {
    kind: 'UploadPriceSheet',
    content,
    comparedWith,
    uploadedBy,
    now: NOW,
  } as const;
  await commands.execute(priceSheetAggregate, APP, command, context);
}

async function setTax(rate: string, effectiveFrom: string): Promise<void> {
  const rates = [{ country: 'DE', rate, inclusive: true }];
  const command = { kind: 'SetTaxRates', rates, effectiveFrom, setBy: 'spec', now: NOW } as const;
  await commands.execute(taxRatesAggregate, APP, command, context);
}

const request = { sourceCurrency: 'USD', destinationCountry: 'DE', priceIds: ['gems', 'née'] };
let reads = 0;
const read = (bytes: Buffer): ConversionRequest => {
  reads += 1;
  return JSON.parse(bytes.toString()) as ConversionRequest;
};

async function convert(changes: Partial<ConversionRequest> = {}, at = NOW) {
  const bytes = Buffer.from(JSON.stringify({ ...request, ...changes }));
  const outcome = await books.convert(APP, bytes, read, at);
  if (!outcome.accepted) return { rejected: outcome.rejection.code };
  const { conversions, ...around } = JSON.parse(outcome.body.toString()) as {
    conversions: { destinationAmount: number; displayPrice: string }[];
  };
  return { amount: conversions[0]?.destinationAmount, provenance: outcome.provenance, around };
}

describe('price books', () => {
  it('are made at the first conversion, and show what is uploaded when the follower brings it', async () => {
    expect(await convert()).toEqual({ rejected: 'price_sheet/not_uploaded' });
    await upload('9.49');
    expect(await convert()).toEqual({ rejected: 'price_sheet/not_uploaded' });
    store.deliver();
    await settled();
    expect(await convert()).toMatchObject({
      amount: 949,
      provenance: { sheetVersion: 1, taxVersion: 0 },
      around: { destinationCurrency: 'EUR', missingPriceIds: ['née'], taxRate: '0' },
    });
    await upload('8.49');
    await setTax('0.19', NOW);
    store.deliver();
    await settled();
    expect(await convert()).toMatchObject({ amount: 1010, provenance: { sheetVersion: 2 } });
  });

  it('are current at once for who asks the store itself', async () => {
    await upload('9.49');
    expect(await convert()).toMatchObject({ amount: 949 });
    await upload('8.49');
    await books.refresh(APP);
    expect(await convert()).toMatchObject({ amount: 849 });
  });

  it('answer equal bytes without reading them again, and others afresh', async () => {
    await upload('9.49');
    await convert();
    reads = 0;
    await convert();
    await books.refresh(APP);
    await convert();
    expect(reads).toBe(0);
    await convert({ rounding: 'hg' });
    expect(reads).toBe(1);
  });

  it('do not keep an answer beyond the hour at which rates change', async () => {
    await upload('9.49');
    await setTax('0.19', NOW);
    await setTax('0.16', LATER);
    expect(await convert()).toMatchObject({ amount: 1129, provenance: { taxVersion: 1 } });
    expect(await convert({}, LATER)).toMatchObject({ amount: 1101, provenance: { taxVersion: 2 } });
    expect(await convert()).toMatchObject({ amount: 1129, provenance: { taxVersion: 1 } });
  });

  it('keep the old prices where the new ones cannot be read', async () => {
    await upload('9.49');
    await convert();
    await upload('8.49');
    store.fault = new Fault('undecodable', 'of a newer release', { retryable: false });
    store.deliver();
    await settled();
    expect(await convert()).toMatchObject({ amount: 949 });
    await expect(books.refresh(APP)).rejects.toThrow('of a newer release');
  });

  it('go where the store is out of reach for what changed, and are made anew when it is back', async () => {
    await upload('9.49');
    await convert();
    await upload('8.49');
    store.fault = new Fault('unavailable', 'away', { retryable: true });
    store.deliver();
    await settled();
    await expect(convert()).rejects.toThrow('away');
    store.fault = undefined;
    expect(await convert()).toMatchObject({ amount: 849 });
  });

  it('are not read at the start, whatever the store holds, and of an app not in use never', async () => {
    for (const amount of ['9.49', '8.49', '7.49']) await upload(amount);
    const head = await store.headPosition();
    const before = store.calls.length;
    await open();
    expect(store.subscribedAfter.at(-1)).toBe(head);
    await setTax('0.19', NOW);
    const after = store.calls.length;
    store.deliver();
    await settled();
    expect(store.calls.slice(before).filter((call) => call.startsWith('read price'))).toEqual([]);
    expect(store.calls).toHaveLength(after);
    expect(await convert()).toMatchObject({ amount: 891, provenance: { sheetVersion: 3 } });
  });

  it('are not older for who asked the store itself, also where the change goes by meanwhile', async () => {
    await upload('9.49');
    await convert();
    await upload('8.49');
    store.holdsReadings = true;
    const refreshed = books.refresh(APP);
    // The two streams are read, then the rows; then the follower has the book made once more.
    for (let read = 0; read < 2; read += 1) {
      await settled();
      store.release();
    }
    await settled();
    store.deliver();
    await settled();
    store.release();
    await refreshed;
    expect(await convert()).toMatchObject({ amount: 849 });
    store.holdsReadings = false;
    while (store.release());
  });

  it('are asked for again after the store was out of reach', async () => {
    store.fault = new Fault('unavailable', 'away', { retryable: true });
    await expect(convert()).rejects.toThrow('away');
    store.fault = undefined;
    expect(await convert()).toEqual({ rejected: 'price_sheet/not_uploaded' });
  });
});

describe('the rows of a sheet', () => {
  it('are stored once, however often the same content comes', async () => {
    await upload('9.49');
    const appends = () => store.calls.filter((call) => call.startsWith('append price_sheet_rows-'));
    expect(appends()).toHaveLength(1);
    await upload('9.49');
    expect(appends()).toHaveLength(1);
    await upload('8.49');
    expect(appends()).toHaveLength(2);
  });

  it('of two uploads at once are stored once', async () => {
    store.headRevision = () => Promise.resolve(-1);
    await Promise.all([upload('9.49'), upload('9.49')]);
    await books.refresh(APP);
    expect(await convert()).toMatchObject({ amount: 949, provenance: { sheetVersion: 1 } });
  });
});
