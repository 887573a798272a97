import type { PeriodUnit } from '#domain/calendar';
import { PLAIN, takes } from './message-types.js';

/** A page, or a part of one, that has nothing to say but this. */
const NOTICE = { title: PLAIN, text: PLAIN } as const;

/** A price as the page shows it, and how often it is paid: `$9.99`, `every month`. */
const RENEWAL = {
  price: '$9.99',
  every: 'every month',
  /** Whether a tax comes on top of the price. */
  tax: 'added' as 'added' | 'included',
};
const PERIOD = { value: 3, unit: 'month' as PeriodUnit };

/** The texts of the pages of links and of the sandbox's bank. */
export const CHECKOUT_TEXTS = {
  /** `every month`, `every 3 months` */
  everyPeriod: takes(PERIOD),
  /** `one week`, `14 days` */
  duration: takes(PERIOD),
  page: {
    /** Leads past the head of a page to its subject. */
    skip: PLAIN,
    summary: PLAIN,
    help: PLAIN,
    terms: PLAIN,
    privacy: PLAIN,
    /** The note that all is paid with test cards. */
    testMode: PLAIN,
  },
  offer: {
    title: takes({ planName: 'Gold' }),
    dueToday: PLAIN,
    freeTrial: PLAIN,
    afterTrial: PLAIN,
    tax: PLAIN,
    taxIncluded: PLAIN,
    /** Of a tax that is added: a charge to come may have another one than is shown. */
    taxOfDueDate: PLAIN,
    /** The terms that the player agrees to by paying. */
    terms: takes(RENEWAL),
    termsWithTrial: takes({ trial: 'one week', ...RENEWAL }),
  },
  /** Of a link that changes a subscription. */
  change: {
    title: takes({ planName: 'Gold' }),
    methodTitle: PLAIN,
    openPeriod: PLAIN,
    newTime: PLAIN,
    unusedTime: PLAIN,
    /** The part of the unused time that the change does not pay for, and no one gives back. */
    lostTime: PLAIN,
    /** The same where it is given back. */
    refundedTime: PLAIN,
    /** The amount that goes back to the card or account that paid for it, tax included. */
    givenBack: PLAIN,
    confirm: PLAIN,
    notNow: PLAIN,
    methodChanged: PLAIN,
  },
  payment: {
    legend: PLAIN,
    testCards: PLAIN,
    /** For cards that are entered on the gateway's own page. */
    cardPage: PLAIN,
    methods: {
      pm_ok: PLAIN,
      pm_decline_insufficient_funds: PLAIN,
      pm_renewal_declines: PLAIN,
      pm_authentication_required: PLAIN,
      pm_pending: PLAIN,
    },
    pay: takes({ price: '$9.99' }),
    startTrial: PLAIN,
    declined: PLAIN,
    pauseSeconds: takes({ seconds: 3 }),
    unanswered: PLAIN,
    cancel: PLAIN,
  },
  /** The texts of the page's script while it waits; the server's own pages tell the outcomes. */
  script: {
    asking: PLAIN,
    stillAsking: PLAIN,
    unreachable: PLAIN,
    /** The script writes their number in the place of the mark that it is given. */
    paused: takes({ seconds: '{seconds}' }),
  },
  /** Why a payment was not even begun, by the reason of the refusal; `other` is for all that are rare. */
  refusals: {
    AMOUNT_CHANGED: PLAIN,
    PLAN_ALREADY_HELD: PLAIN,
    PLAN_NOT_AVAILABLE: PLAIN,
    TRIAL_ALREADY_TAKEN: PLAIN,
    other: PLAIN,
  },
  pending: NOTICE,
  /** The bank wants the player to confirm the payment. */
  challenged: { ...NOTICE, goToBank: PLAIN, otherWay: PLAIN },
  /** The page on which the sandbox's bank asks for that. */
  bank: {
    title: PLAIN,
    ask: takes({ price: '$9.99', seller: 'Studio' }),
    testBank: PLAIN,
    accept: PLAIN,
    decline: PLAIN,
    accepted: PLAIN,
    declined: PLAIN,
    backToCheckout: PLAIN,
  },
  completed: {
    title: takes({ planName: 'Gold' }),
    active: PLAIN,
    trialBegun: takes({ trial: 'one week' }),
    whatNow: PLAIN,
    backToGame: PLAIN,
  },
  locked: NOTICE,
  expired: NOTICE,
  missing: NOTICE,
  unavailable: NOTICE,
  notConfigured: NOTICE,
} as const;

/** The sandbox gateway's methods that the page offers (rules/payments 9), the first one chosen. */
export type PaymentMethod = keyof typeof CHECKOUT_TEXTS.payment.methods;

/** Refusals that the state of a link does not tell by itself. */
export type RefusalReason = keyof typeof CHECKOUT_TEXTS.refusals;
