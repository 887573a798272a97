import { describe, expect, it } from 'vitest';
import type { JournalRow } from '#domain/bookkeeping';
import type { RecordedEvent } from '#domain/event';
import { FinanceTerms } from './finance-terms.js';

const metadata = (appId = 'app_1') =>
  ({ appId, occurredAt: '2026-02-02T10:00:00.000Z' }) as RecordedEvent['metadata'];
const close = (period: string, size: number, app = 'app_1') =>
  ({
    ...{ streamName: `finance-${app}`, type: 'finance.period_closed.v1' },
    data: { period, size },
  }) as unknown as RecordedEvent;
const makeRow = (period: string, app = 'app_1') => ({ app, period }) as JournalRow;
const january = { app: 'app_1', period: '2026-01', size: 10, leaf: 20 };

describe('the closed months of an app', () => {
  it('are those that were closed before a leaf', () => {
    const terms = new FinanceTerms();
    expect(terms.find(metadata(), 15).closedThrough).toBe('');
    terms.add(close('2026-01', 10), 20);
    expect(terms.find(metadata(), 21).closedThrough).toBe('2026-01');
    expect(terms.find(metadata('app_2'), 21).closedThrough).toBe('');
    expect(terms.missed).toEqual([]);
  });

  it('are closed from their checkpoint on where they are foreseen', () => {
    const terms = new FinanceTerms({ foreseen: [january] });
    expect(terms.find(metadata(), 9).closedThrough).toBe('');
    expect(terms.find(metadata(), 10).closedThrough).toBe('2026-01');
    expect(terms.find(metadata('app_2'), 10).closedThrough).toBe('');
    terms.note([makeRow('2026-02')], 12);
    terms.add(close('2026-01', 10), 20);
    expect(terms.missed).toEqual([]);
  });

  it('have to be foreseen where an entry behind the checkpoint was booked in them, or before', () => {
    const missed = (period: string, leaf: number, app = 'app_1') => {
      const terms = new FinanceTerms();
      terms.note([makeRow(period, app)], leaf);
      terms.add(close('2026-01', 10), 20);
      return terms.missed;
    };
    expect(missed('2026-01', 10)).toEqual([january]);
    expect(missed('2025-12', 19)).toEqual([january]);
    expect(missed('2026-01', 9)).toEqual([]);
    expect(missed('2026-02', 15)).toEqual([]);
    expect(missed('2026-01', 15, 'app_2')).toEqual([]);
  });

  it('are open where someone asks what there would be without their close', () => {
    const openFrom = { app: 'app_1', period: '2026-02' };
    const terms = new FinanceTerms({ openFrom });
    terms.note([makeRow('2026-02')], 35);
    terms.add(close('2026-01', 10), 20);
    terms.add(close('2026-02', 30), 40);
    expect(terms.find(metadata(), 41).closedThrough).toBe('2026-01');
    expect(terms.missed).toEqual([]);
    terms.add(close('2026-02', 30, 'app_2'), 42);
    expect(terms.find(metadata('app_2'), 43).closedThrough).toBe('2026-02');
  });
});
