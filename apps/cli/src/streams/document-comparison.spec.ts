import { describe, expect, it } from 'vitest';
import { COMMAND_RECORDED } from '#domain/event';
import type { StreamRecipe } from '#projection-engine/define';
import { DocumentComparison } from './document-comparison.js';
import type { ShownDocument } from './shown-documents.js';
import { eventAt } from '../../../../libs/domain/src/event/spec-support/recorded-event.js';

/** Counts the events of a stream. */
const COUNT: Pick<StreamRecipe, 'initial' | 'fold' | 'render'> = {
  initial: 0,
  fold: (before) => Number(before) + 1,
  render: (id, count, revision) => ({ state: { id, count, revision }, entries: [] }),
};
const STREAM = [eventAt(0), eventAt(1), eventAt(2)];

function compare(shown: ShownDocument, recipe = COUNT) {
  const comparison = new DocumentComparison('counts', shown, recipe);
  for (const event of STREAM) comparison.add(event);
  return comparison.end();
}

describe('the comparison of a document with the domain', () => {
  it('is made at the revision of the document, behind which events are no difference', () => {
    const state = { id: 'x', count: 2, revision: 1 };
    expect(compare({ kind: 'found', revision: 1, state })).toEqual({
      kind: 'compared',
      differences: [],
    });
    expect(compare({ kind: 'found', revision: 2, state })).toEqual({
      kind: 'compared',
      differences: [
        { field: 'count', domain: 3, readModel: 2 },
        { field: 'revision', domain: 2, readModel: 1 },
      ],
    });
  });

  it('finds a document that speaks of events which the store does not have', () => {
    expect(compare({ kind: 'found', revision: 7, state: {} })).toEqual({
      kind: 'compared',
      differences: [{ field: 'revision', domain: 2, readModel: 7 }],
    });
  });

  it('misses a document where the read model has had the first event, and only there', () => {
    expect(compare({ kind: 'missing', upTo: STREAM[0]?.position ?? '' })).toEqual({
      kind: 'compared',
      differences: [{ field: 'document', domain: 'there', readModel: 'missing' }],
    });
    expect(compare({ kind: 'missing', upTo: '' })).toMatchObject({ kind: 'uncompared' });
    const none = { ...COUNT, render: () => ({ state: undefined, entries: [] }) };
    const upTo = STREAM[2]?.position ?? '';
    expect(compare({ kind: 'missing', upTo }, none)).toEqual({ kind: 'compared', differences: [] });
  });

  it('says why there is none', () => {
    expect(compare({ kind: 'unread', why: 'Redis is away' })).toEqual({
      kind: 'uncompared',
      why: 'Redis is away',
    });
  });

  it('ends with the event that decides it', () => {
    const shown = { kind: 'found', revision: 1, state: {} } as const;
    const comparison = new DocumentComparison('counts', shown, COUNT);
    const open = STREAM.map((event) => {
      comparison.add(event);
      return comparison.isOpen;
    });
    expect(open).toEqual([true, false, false]);
  });

  it('does not fold the note of a command', () => {
    const state = { id: 'x', count: 1, revision: 1 };
    const shown = { kind: 'found', revision: 1, state } as const;
    const comparison = new DocumentComparison('counts', shown, COUNT);
    comparison.add(eventAt(0));
    comparison.add(eventAt(1, { type: COMMAND_RECORDED }));
    expect(comparison.end()).toEqual({ kind: 'compared', differences: [] });
  });
});
