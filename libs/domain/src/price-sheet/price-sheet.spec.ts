import { describe, expect, it } from 'vitest';
import { decidePriceSheet, type PriceSheetCommand } from './price-sheet.decide.js';
import type { PriceSheetEvent, UploadedContent } from './price-sheet.events.js';
import { rowsStreamName } from './price-sheet-rows.events.js';
import { currentPriceSheet, evolvePriceSheet, noPriceSheet } from './price-sheet.state.js';

const MONDAY = '2026-06-01T00:00:00.000Z';
const TUESDAY = '2026-06-02T00:00:00.000Z';
const WEDNESDAY = '2026-06-03T00:00:00.000Z';

describe('the rows of a content', () => {
  it('lie in a stream named by app and content', () => {
    expect(rowsStreamName('app_1', 'abc')).toBe('price_sheet_rows-app_1-abc.v1');
  });
});

describe('uploading a price sheet', () => {
  it('makes version 1 and makes it current', () => {
    expect(when([], upload('a', MONDAY))).toEqual({
      accepted: true,
      events: uploaded(1, 'a', MONDAY),
    });
  });

  it('counts versions on', () => {
    expect(when(uploaded(1, 'a', MONDAY), upload('b', TUESDAY, 1))).toEqual({
      accepted: true,
      events: uploaded(2, 'b', TUESDAY),
    });
  });

  it('changes nothing when the same content is current already', () => {
    expect(when(uploaded(1, 'a', MONDAY), upload('a', TUESDAY))).toEqual({
      accepted: true,
      events: [],
    });
  });

  it('is a new version when the same content was current once', () => {
    const given = [...uploaded(1, 'a', MONDAY), ...uploaded(2, 'b', TUESDAY)];
    expect(when(given, upload('a', WEDNESDAY, 2))).toEqual({
      accepted: true,
      events: uploaded(3, 'a', WEDNESDAY),
    });
  });
});

describe('uploading a price sheet that was compared with another one than is in force', () => {
  it.each([null, 1, 3])('is refused: with %p', (comparedWith) => {
    const given = [...uploaded(1, 'a', MONDAY), ...uploaded(2, 'b', TUESDAY)];
    expect(when(given, upload('c', WEDNESDAY, comparedWith))).toMatchObject({
      rejection: { code: 'price_sheet/outdated_comparison' },
    });
  });
});

describe('activating an earlier version', () => {
  const given = [...uploaded(1, 'a', MONDAY), ...uploaded(2, 'b', TUESDAY)];

  it('makes it current', () => {
    expect(when(given, activate(1, WEDNESDAY))).toEqual({
      accepted: true,
      events: [activated(1, WEDNESDAY)],
    });
  });

  it('changes nothing when it is current', () => {
    expect(when(given, activate(2, WEDNESDAY))).toEqual({ accepted: true, events: [] });
  });

  it('is refused for a version that is not there', () => {
    expect(when(given, activate(3, WEDNESDAY))).toEqual({
      accepted: false,
      rejection: { code: 'price_sheet/unknown_version', detail: '3' },
    });
  });
});

describe('the current version', () => {
  const history = [
    ...uploaded(1, 'a', MONDAY),
    ...uploaded(2, 'b', TUESDAY),
    activated(1, WEDNESDAY),
  ].reduce(evolvePriceSheet, noPriceSheet);

  it('is known for every moment of the past', () => {
    expect(currentPriceSheet(history, '2026-05-31T23:59:59.999Z')).toBeUndefined();
    expect(currentPriceSheet(history, MONDAY)?.version).toBe(1);
    expect(currentPriceSheet(history, TUESDAY)?.version).toBe(2);
    expect(currentPriceSheet(history, WEDNESDAY)?.version).toBe(1);
    expect(currentPriceSheet(history)?.contentHash).toBe('a');
  });

  it('is not moved by a recorded command', () => {
    expect(evolvePriceSheet(history, { type: 'command.recorded.v1', data: {} })).toBe(history);
  });
});

function when(given: readonly PriceSheetEvent[], command: PriceSheetCommand) {
  return decidePriceSheet(command, given.reduce(evolvePriceSheet, noPriceSheet));
}

function content(contentHash: string): UploadedContent {
  const rowsStream = `price_sheet_rows-app_1-${contentHash}.v1`;
  return { contentHash, rowCount: 2, priceIdCount: 1, rowsStream, chunkCount: 1 };
}

function upload(
  contentHash: string,
  now: string,
  comparedWith: number | null = null,
): PriceSheetCommand {
  return {
    kind: 'UploadPriceSheet',
    content: content(contentHash),
    comparedWith,
    uploadedBy: 'ops',
    now,
  };
}

function activate(version: number, now: string): PriceSheetCommand {
  return { kind: 'ActivatePriceSheet', version, activatedBy: 'ops', now };
}

function uploaded(version: number, contentHash: string, uploadedAt: string): PriceSheetEvent[] {
  return [
    {
      type: 'price_sheet.uploaded.v1',
      data: { ...content(contentHash), version, uploadedBy: 'ops', uploadedAt },
    },
    activated(version, uploadedAt),
  ];
}

function activated(version: number, activatedAt: string): PriceSheetEvent {
  return { type: 'price_sheet.activated.v1', data: { version, activatedBy: 'ops', activatedAt } };
}
