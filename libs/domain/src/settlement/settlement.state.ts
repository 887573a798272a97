import { unknownEvent } from '../decider/index.js';
import type { Payout, SettlementEvent, SettlementRow } from './settlement.events.js';

/** A row of a gateway's account. */
export interface Settlement {
  /** Null until it is imported. */
  readonly row: SettlementRow | null;
  /** Null until a report tells it. */
  readonly payout: Payout | null;
}

export function evolveSettlement(state: Settlement, event: SettlementEvent): Settlement {
  switch (event.type) {
    case 'settlement.row_imported.v1':
      return { ...state, row: event.data };
    case 'settlement.payout_noted.v1':
      return { ...state, payout: event.data };
    default:
      return unknownEvent(state, event);
  }
}
