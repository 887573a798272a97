import type { Period, PeriodUnit } from '#domain/calendar';

/** A page, or a part of one, that has nothing to say but this. */
export interface NoticeText {
  readonly title: string;
  readonly text: string;
}

/** A price as the page shows it, and how often it is paid: `$9.99`, `every month`. */
export interface RecurringPrice {
  readonly price: string;
  readonly every: string;
  /** Whether a tax comes on top of the price. */
  readonly plusTax: boolean;
}

/**
 * All that the pages say, in one language. A language is complete when its object has this type.
 * Functions take texts that are ready to be shown, and every text is plain: React escapes it.
 */
export interface Catalogue {
  readonly direction: 'ltr' | 'rtl';
  /** `every month`, `every 3 months` */
  readonly everyPeriod: (period: Period) => string;
  /** `one week`, `14 days` */
  readonly duration: (period: Period) => string;
  readonly offer: {
    readonly title: (planName: string) => string;
    readonly dueToday: string;
    readonly freeTrial: string;
    readonly afterTrial: string;
    readonly tax: string;
    readonly taxIncluded: string;
    /** What the player agrees to by paying. */
    readonly terms: (renewal: RecurringPrice) => string;
    readonly termsWithTrial: (trial: string, renewal: RecurringPrice) => string;
  };
  /** Of a link that changes a subscription. */
  readonly change: {
    readonly title: (planName: string) => string;
    readonly methodTitle: string;
    readonly openPeriod: string;
    readonly newTime: string;
    readonly unusedTime: string;
    readonly confirm: string;
    readonly notNow: string;
    readonly methodChanged: string;
  };
  readonly payment: {
    readonly legend: string;
    readonly testCards: string;
    /** Where the card is entered on the gateway's own page. */
    readonly cardPage: string;
    readonly methods: Readonly<Record<PaymentMethod, string>>;
    readonly pay: (price: string) => string;
    readonly startTrial: string;
    readonly declined: string;
    readonly pauseSeconds: (seconds: number) => string;
    readonly unanswered: string;
    readonly cancel: string;
  };
  /** What the page's script says while it waits; the server's own pages tell the outcomes. */
  readonly script: {
    readonly asking: string;
    readonly stillAsking: string;
    readonly unreachable: string;
    /** `{seconds}` stands for their number. */
    readonly paused: string;
  };
  /** Why a payment was not even begun, by the reason of the refusal. */
  readonly refusals: Readonly<Record<RefusalReason, string>>;
  readonly pending: NoticeText;
  /** The bank wants the player to confirm the payment. */
  readonly challenged: NoticeText & { readonly goToBank: string; readonly otherWay: string };
  /** The page on which the sandbox's bank asks for that. */
  readonly bank: {
    readonly title: string;
    readonly ask: (price: string, seller: string) => string;
    readonly testBank: string;
    readonly accept: string;
    readonly decline: string;
    readonly accepted: string;
    readonly declined: string;
    readonly backToCheckout: string;
  };
  readonly completed: {
    readonly title: (planName: string) => string;
    readonly active: string;
    readonly trialBegun: (trial: string) => string;
    readonly whatNow: string;
    readonly backToGame: string;
  };
  readonly locked: NoticeText;
  readonly expired: NoticeText;
  readonly missing: NoticeText;
  readonly unavailable: NoticeText;
  readonly notConfigured: NoticeText;
}

/** The sandbox gateway's methods that the page offers (rules/payments 9). */
export const PAYMENT_METHODS = [
  'pm_ok',
  'pm_decline_insufficient_funds',
  'pm_renewal_declines',
  'pm_authentication_required',
  'pm_pending',
] as const;
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];

/** Refusals that the state of a link does not tell by itself; `other` stands for all that are rare. */
export type RefusalReason = 'AMOUNT_CHANGED' | 'PLAN_NOT_AVAILABLE' | 'other';

/** The name of a period's unit where there is one, and where there are several. */
export type UnitNames = Readonly<Record<PeriodUnit, readonly [one: string, many: string]>>;
