import { unknownEvent } from '../decider/index.js';
import { COMMAND_RECORDED, type DomainEvent, type Instant } from '../event/index.js';
import type {
  PriceSheetActivated,
  PriceSheetEvent,
  PriceSheetUploaded,
} from './price-sheet.events.js';

/** One version of an app's price sheet, as it was uploaded. */
export type PriceSheetVersion = PriceSheetUploaded['data'];

/** All versions, and when which of them was made current: both oldest first. */
export interface PriceSheetHistory {
  readonly versions: readonly PriceSheetVersion[];
  readonly activations: readonly PriceSheetActivated['data'][];
}

export const noPriceSheet: PriceSheetHistory = { versions: [], activations: [] };

/** Folds one event; a recorded command changes nothing. */
export function evolvePriceSheet(
  state: PriceSheetHistory,
  event: PriceSheetEvent | DomainEvent<typeof COMMAND_RECORDED>,
): PriceSheetHistory {
  switch (event.type) {
    case 'price_sheet.uploaded.v1':
      return { ...state, versions: [...state.versions, event.data] };
    case 'price_sheet.activated.v1':
      return { ...state, activations: [...state.activations, event.data] };
    case COMMAND_RECORDED:
      return state;
    default:
      return unknownEvent(state, event);
  }
}

/** The version of this number; undefined when there is none. */
export function priceSheetVersion(
  state: PriceSheetHistory,
  version: number,
): PriceSheetVersion | undefined {
  return state.versions.find((candidate) => candidate.version === version);
}

/** The version that conversions use, now or at a moment of the past; undefined before the first. */
export function currentPriceSheet(
  state: PriceSheetHistory,
  at?: Instant,
): PriceSheetVersion | undefined {
  const activation = state.activations.findLast(
    ({ activatedAt }) => at === undefined || activatedAt <= at,
  );
  return activation && priceSheetVersion(state, activation.version);
}
