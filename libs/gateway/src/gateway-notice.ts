import type { GatewayKind } from '#domain/app';
import type { Money } from '#domain/money';
import type { SettledCharge } from './gateway.js';

/**
 * A gateway's own notice (rules/payments 15). Notices may come in any order, more than once, before the answer to the
 * call that they are about, or never.
 */
export type GatewayNotice =
  /** A charge that was left open has its outcome. */
  | {
      readonly kind: 'charge_settled';
      /** The key of the charge: the payment. */
      readonly chargeKey: string;
      readonly outcome: SettledCharge;
      /** Of the charge; undefined where the gateway does not say. */
      readonly amount?: Money;
    }
  | {
      readonly kind: 'dispute_opened';
      readonly chargeKey: string;
      /** The gateway's own. */
      readonly disputeId: string;
      readonly amount: Money;
    }
  | {
      readonly kind: 'dispute_closed';
      readonly chargeKey: string;
      readonly disputeId: string;
      readonly amount: Money;
      /** By the merchant. */
      readonly won: boolean;
    }
  /** A refund that was asked for is not made after all. */
  | {
      readonly kind: 'refund_failed';
      readonly chargeKey: string;
      /** The key of the refund. */
      readonly refundKey: string;
    };

/** The bytes of a request at the edge: gateways sign bytes. */
export interface ReceivedNotice {
  /** Whose account it is about. */
  readonly appId: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
}

/** Genuine, with the notices in it that are followed here, if any; or not from the gateway, and why. */
export type NoticeReading =
  | { readonly genuine: true; readonly notices: readonly GatewayNotice[] }
  | { readonly genuine: false; readonly why: string };

/** The edge of the port for notices: verified before anything in them is believed. */
export interface NoticeReader {
  /** @throws Fault `unavailable` where the verifier is out of reach. */
  read(received: ReceivedNotice): Promise<NoticeReading>;
}

/** The readers of all kinds of gateways. */
export interface NoticeReaders {
  of(kind: GatewayKind): NoticeReader;
}
