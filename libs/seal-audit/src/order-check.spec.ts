import type { LogLeaf } from '#sealing';
import { describe, expect, it } from 'vitest';
import { OrderCheck, REORDERED_LEAVES } from './order-check.js';
import { SealFindings } from './seal-findings.js';

/** @param leaves with the streams of their events, in the order of the log. */
function check(copiedUpTo: string, leaves: readonly (readonly [number, string])[]): number {
  const findings = new SealFindings();
  const order = new OrderCheck(findings, copiedUpTo);
  for (const [at, [leaf, stream]] of leaves.entries()) {
    const event = { stream, eventId: `e${leaf}`, type: 't', position: String(at).padStart(5, '0') };
    order.take(event as LogLeaf, leaf);
  }
  return findings.total;
}

describe('the order of events', () => {
  it('is that of the leaves where the log was sealed', () => {
    expect(
      check('', [
        [0, 'a'],
        [1, 'b'],
        [2, 'a'],
      ]),
    ).toBe(0);
    expect(
      check('', [
        [1, 'b'],
        [0, 'a'],
        [2, 'a'],
      ]),
    ).toBe(1);
  });

  it('is that of each stream where the log was copied, within the reach of a copy', () => {
    expect(
      check('00009', [
        [1, 'b'],
        [0, 'a'],
        [2, 'a'],
      ]),
    ).toBe(0);
    expect(
      check('00009', [
        [2, 'a'],
        [1, 'b'],
        [0, 'a'],
      ]),
    ).toBe(1);
    expect(
      check('00009', [
        [REORDERED_LEAVES, 'b'],
        [1, 'a'],
      ]),
    ).toBe(0);
    expect(
      check('00009', [
        [REORDERED_LEAVES, 'b'],
        [0, 'a'],
      ]),
    ).toBe(1);
    expect(
      check('00001', [
        [1, 'b'],
        [0, 'a'],
        [3, 'b'],
        [2, 'a'],
      ]),
    ).toBe(1);
  });
});
