import {
  accept,
  type AnyRejection,
  type Decision,
  defineAggregate,
  reject,
} from '../decider/index.js';
import type { Instant } from '../event/index.js';
import type {
  PriceSheetActivated,
  PriceSheetEvent,
  UploadedContent,
} from './price-sheet.events.js';
import {
  currentPriceSheet,
  evolvePriceSheet,
  noPriceSheet,
  type PriceSheetHistory,
  priceSheetVersion,
} from './price-sheet.state.js';

export type PriceSheetCommand =
  | {
      /** The sheet was judged good and its rows are stored: now it becomes a version, and current. */
      readonly kind: 'UploadPriceSheet';
      readonly content: UploadedContent;
      /** The version in force that its rows were compared with; null before the first. */
      readonly comparedWith: number | null;
      readonly uploadedBy: string;
      readonly now: Instant;
    }
  | {
      /** Makes an earlier version current again. */
      readonly kind: 'ActivatePriceSheet';
      readonly version: number;
      readonly activatedBy: string;
      readonly now: Instant;
    };

export interface PriceSheetRejection extends AnyRejection {
  readonly code: 'price_sheet/outdated_comparison' | 'price_sheet/unknown_version';
}

/** Decides over the versions of one app's price sheet; the current version changes nothing. */
export function decidePriceSheet(
  command: PriceSheetCommand,
  state: PriceSheetHistory,
): Decision<PriceSheetEvent, PriceSheetRejection> {
  const current = currentPriceSheet(state);
  switch (command.kind) {
    case 'UploadPriceSheet': {
      const { content, comparedWith, uploadedBy, now } = command;
      if (current?.contentHash === content.contentHash) return accept();
      if ((current?.version ?? null) !== comparedWith) {
        return reject('price_sheet/outdated_comparison');
      }
      const version = state.versions.length + 1;
      return accept<PriceSheetEvent>(
        {
          type: 'price_sheet.uploaded.v1',
          data: { ...content, version, uploadedBy, uploadedAt: now },
        },
        activated(version, uploadedBy, now),
      );
    }
    case 'ActivatePriceSheet': {
      const { version, activatedBy, now } = command;
      if (priceSheetVersion(state, version) === undefined) {
        return reject('price_sheet/unknown_version', String(version));
      }
      if (current?.version === version) return accept();
      return accept(activated(version, activatedBy, now));
    }
  }
}

export const priceSheetAggregate = defineAggregate('price_sheet', {
  initialState: noPriceSheet,
  evolve: evolvePriceSheet,
  decide: decidePriceSheet,
});

function activated(
  version: number,
  activatedBy: string,
  activatedAt: Instant,
): PriceSheetActivated {
  return { type: 'price_sheet.activated.v1', data: { version, activatedBy, activatedAt } };
}
