import type { CHECKOUT_TEXTS } from '../checkout-texts.js';
import type { Messages } from '../message-types.js';

export const checkout: Messages<typeof CHECKOUT_TEXTS> = {
  everyPeriod:
    '{unit, select, day {{value, plural, =1 {every day} other {every # days}}} ' +
    'week {{value, plural, =1 {every week} other {every # weeks}}} ' +
    'month {{value, plural, =1 {every month} other {every # months}}} ' +
    'other {{value, plural, =1 {every year} other {every # years}}}}',
  duration:
    '{unit, select, day {{value, plural, =1 {one day} other {# days}}} ' +
    'week {{value, plural, =1 {one week} other {# weeks}}} ' +
    'month {{value, plural, =1 {one month} other {# months}}} ' +
    'other {{value, plural, =1 {one year} other {# years}}}}',
  page: {
    skip: 'Skip to the content',
    summary: 'Summary',
    help: 'Help',
    terms: 'Terms',
    privacy: 'Privacy',
    testMode: 'Test mode: no money moves',
  },
  offer: {
    title: 'Subscribe to {planName}',
    dueToday: 'Due today',
    freeTrial: 'Free trial',
    afterTrial: 'After the trial',
    tax: 'Tax',
    taxIncluded: 'Tax included',
    taxOfDueDate: 'Tax is charged at the rate of the day when each payment is due.',
    terms:
      'The subscription renews at {price}{tax, select, added { plus tax} other {}} {every} until you cancel it. You can cancel at any ' +
      'time and keep access until the end of the paid period.',
    termsWithTrial:
      'After {trial} the subscription costs {price}{tax, select, added { plus tax} other {}} {every} until you cancel it. Cancel ' +
      'during the trial and you pay nothing.',
  },
  change: {
    title: 'Change to {planName}',
    methodTitle: 'Pay by another method',
    openPeriod: 'The open period',
    newTime: 'The new plan, for the rest of the period',
    unusedTime: 'Unused time of the present plan',
    lostTime: 'Unused time that is lost with the change',
    refundedTime: 'Unused time that is given back',
    givenBack: 'Refunded to the card that paid',
    confirm: 'Confirm the change',
    notNow: 'This change cannot be made at present, and nothing was charged. Go back to the game.',
    methodChanged: 'Thank you! Your subscription is paid by this method from now on.',
  },
  payment: {
    legend: 'Pay with',
    testCards: 'These are test cards: no money moves.',
    cardPage:
      'You enter your card on a page of Stripe, our payment provider. We go on by ourselves when you are ' +
      'back.',
    methods: {
      pm_ok: 'Card that is accepted',
      pm_decline_insufficient_funds: 'Card without enough money',
      pm_renewal_declines: 'Card that is accepted once, and declined at renewal',
      pm_authentication_required: 'Card that wants a confirmation',
      pm_pending: 'Card whose bank takes its time',
    },
    pay: 'Pay {price}',
    startTrial: 'Start the free trial',
    declined: 'The payment was declined, and nothing was charged. Try another card.',
    pauseSeconds: 'Too many were declined in a row: please wait {seconds} s before the next one.',
    unanswered:
      'Your bank has not answered yet. You can wait here, or pay another way now: should the first ' +
      'payment go through after that, you get it back by itself.',
    cancel: 'Back to the game without paying',
  },
  script: {
    asking: 'One moment: we are asking your bank.',
    stillAsking: 'Your bank has not answered yet. Wait here, or pay another way.',
    unreachable: 'We could not be reached. Please try again: you pay once only.',
    paused: 'Please wait. You can go on in {seconds} s.',
  },
  refusals: {
    AMOUNT_CHANGED: 'What is due has changed, and nothing was charged. Please look at it again.',
    PLAN_ALREADY_HELD:
      'You have this plan already, or one that takes its place. Nothing was charged.',
    PLAN_NOT_AVAILABLE: 'This plan is no longer for sale. Nothing was charged.',
    TRIAL_ALREADY_TAKEN: 'You have had this free trial already. Nothing was charged.',
    other: 'The payment could not be started. Please try again: you pay once only.',
  },
  pending: {
    title: 'Your payment is on its way',
    text:
      'Your bank has not answered yet. This page shows the outcome as soon as it is known. You can ' +
      'also close it: we carry on, and you pay once only.',
  },
  challenged: {
    title: 'Your bank wants you to confirm',
    text:
      'The payment is made once you have confirmed it with your bank. If you just did, this page shows ' +
      'the outcome as soon as it is known. You pay once only.',
    goToBank: 'Confirm with your bank',
    otherWay:
      'Or pay another way: should you confirm the first payment after that, you get it back by itself.',
  },
  bank: {
    title: 'Do you make this payment?',
    ask: '{seller} wants to charge you {price}. Confirm only if that is you.',
    testBank: 'This is the bank of a test card: no money moves.',
    accept: 'Confirm the payment',
    decline: 'Decline the payment',
    accepted: 'You have confirmed this payment.',
    declined: 'You have declined this payment, and nothing was charged.',
    backToCheckout: 'Back to the checkout',
  },
  completed: {
    title: 'You are subscribed to {planName}',
    active: 'Thank you! Your subscription is active.',
    trialBegun: 'Thank you! Your free trial of {trial} has begun.',
    whatNow: 'You can close this page and go back to the game.',
    backToGame: 'Back to the game',
  },
  locked: {
    title: 'This link is locked',
    text:
      'Too many payments were declined here, so this link is locked for safety, and nothing was ' +
      'charged. Go back to the game and ask for a new link, or ask your bank about your card first.',
  },
  expired: {
    title: 'This link has expired',
    text: 'Nothing was charged. Go back to the game and ask for a new link.',
  },
  missing: {
    title: 'There is no such offer',
    text: 'The address is not complete, or it never was one. Go back to the game and try again.',
  },
  unavailable: {
    title: 'This page cannot be shown just now',
    text: 'Nothing was charged by opening it. Load the page again in a minute.',
  },
  notConfigured: {
    title: 'Nothing can be paid here yet',
    text: 'The shop is not ready to take payments. Nothing was charged. Please come back later.',
  },
};
