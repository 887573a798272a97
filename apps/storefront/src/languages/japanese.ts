import type { Period, PeriodUnit } from '#domain/calendar';
import type { Catalogue, RecurringPrice } from './catalogue.js';

/** Japanese has no plural; a count of months takes a counter of its own. */
const COUNTED: Readonly<Record<PeriodUnit, string>> = {
  day: '日',
  week: '週間',
  month: 'か月',
  year: '年',
};
const EVERY: Readonly<Record<PeriodUnit, string>> = {
  day: '毎日',
  week: '毎週',
  month: '毎月',
  year: '毎年',
};

const duration = ({ value, unit }: Period) => `${value}${COUNTED[unit]}`;

const recurring = ({ price, every, plusTax }: RecurringPrice) =>
  `${every}${price}${plusTax ? '（税別）' : ''}`;

export const japanese: Catalogue = {
  direction: 'ltr',
  everyPeriod: (period) => (period.value === 1 ? EVERY[period.unit] : `${duration(period)}ごと`),
  duration: (period) => (period.unit === 'day' ? `${period.value}日間` : duration(period)),
  offer: {
    title: (planName) => `${planName}に登録する`,
    dueToday: '本日のお支払い',
    freeTrial: '無料体験',
    afterTrial: '無料体験終了後',
    tax: '税',
    taxIncluded: '内税',
    terms: (renewal) =>
      `解約されるまで、${recurring(renewal)}で自動更新されます。解約はいつでも可能で、` +
      'お支払い済みの期間の終わりまでご利用いただけます。',
    termsWithTrial: (trial, renewal) =>
      `${trial}の無料体験の終了後、解約されるまで${recurring(renewal)}かかります。` +
      '無料体験中に解約された場合、料金はかかりません。',
  },
  change: {
    title: (planName) => `${planName}に変更する`,
    methodTitle: 'お支払い方法を変更する',
    openPeriod: '未払いの期間',
    newTime: '残りの期間の新しいプラン',
    unusedTime: '現在のプランの未使用期間',
    confirm: '変更を確定する',
    notNow: '現在この変更はできません。請求は発生していません。ゲームにお戻りください。',
    methodChanged: 'ありがとうございます。今後はこの方法でお支払いいただきます。',
  },
  payment: {
    legend: 'お支払い方法',
    testCards: 'テスト用のカードです。実際の請求は発生しません。',
    cardPage:
      'カード情報は、決済サービスStripeのページで入力していただきます。' +
      '戻られると、手続きは自動的に続きます。',
    methods: {
      pm_ok: '承認されるカード',
      pm_decline_insufficient_funds: '残高不足のカード',
      pm_renewal_declines: '初回は承認され、更新時に拒否されるカード',
      pm_authentication_required: '本人確認が必要なカード',
      pm_pending: '銀行の応答に時間がかかるカード',
    },
    pay: (price) => `${price}を支払う`,
    startTrial: '無料体験を始める',
    declined: 'お支払いは拒否されました。請求は発生していません。別のカードをお試しください。',
    pauseSeconds: (seconds) => `拒否が続いています。次のお支払いまで${seconds}秒お待ちください。`,
    unanswered:
      '銀行からまだ応答がありません。このままお待ちいただくか、別の方法でお支払いください。' +
      'その後に最初のお支払いが成立した場合は、自動的に返金されます。',
    cancel: '支払わずにゲームに戻る',
  },
  script: {
    asking: '少々お待ちください。銀行に確認しています。',
    stillAsking:
      '銀行からまだ応答がありません。このままお待ちいただくか、別の方法でお支払いください。',
    unreachable: '接続できませんでした。もう一度お試しください。お支払いは一度だけです。',
    paused: 'お待ちください。{seconds}秒後に続けられます。',
  },
  refusals: {
    AMOUNT_CHANGED: '請求額が変わりました。請求は発生していません。もう一度ご確認ください。',
    PLAN_NOT_AVAILABLE: 'このプランの販売は終了しました。請求は発生していません。',
    other: 'お支払いを開始できませんでした。もう一度お試しください。お支払いは一度だけです。',
  },
  pending: {
    title: 'お支払いを処理しています',
    text:
      '銀行からまだ応答がありません。結果が分かり次第、このページに表示されます。' +
      'ページを閉じても処理は続き、お支払いは一度だけです。',
  },
  challenged: {
    title: '銀行での本人確認が必要です',
    text:
      '銀行で確認していただくとお支払いが完了します。すでに確認された場合は、結果が分かり次第、' +
      'このページに表示されます。お支払いは一度だけです。',
    goToBank: '銀行で確認する',
    otherWay:
      '別の方法でお支払いいただくこともできます。その後に最初のお支払いを確認された場合は、自動的に返金されます。',
  },
  bank: {
    title: 'このお支払いはご本人によるものですか',
    ask: (price, seller) =>
      `${seller}が${price}を請求しようとしています。ご本人の場合のみ確認してください。`,
    testBank: 'これはテストカードの銀行です。お金は動きません。',
    accept: 'お支払いを確認する',
    decline: 'お支払いを拒否する',
    accepted: 'このお支払いを確認しました。',
    declined: 'このお支払いを拒否しました。請求は発生していません。',
    backToCheckout: 'お支払いページに戻る',
  },
  completed: {
    title: (planName) => `${planName}に登録しました`,
    active: 'ありがとうございます。サブスクリプションが有効になりました。',
    trialBegun: (trial) => `ありがとうございます。${trial}の無料体験が始まりました。`,
    whatNow: 'このページを閉じて、ゲームに戻ることができます。',
    backToGame: 'ゲームに戻る',
  },
  locked: {
    title: 'このリンクはロックされています',
    text:
      '拒否されたお支払いが多いため、安全のためリンクをロックしました。請求は発生していません。' +
      'ゲームに戻って新しいリンクを取得するか、先に銀行にお問い合わせください。',
  },
  expired: {
    title: 'このリンクは期限切れです',
    text: '請求は発生していません。ゲームに戻って新しいリンクを取得してください。',
  },
  missing: {
    title: 'このオファーは存在しません',
    text: 'アドレスが不完全か、存在しません。ゲームに戻ってもう一度お試しください。',
  },
  unavailable: {
    title: '現在このページを表示できません',
    text: '開いただけでは請求は発生しません。1分後にもう一度読み込んでください。',
  },
  notConfigured: {
    title: 'ここではまだお支払いできません',
    text: 'ショップはまだお支払いを受け付けていません。請求は発生していません。後でもう一度お越しください。',
  },
};
