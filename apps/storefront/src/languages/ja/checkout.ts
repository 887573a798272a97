import type { CHECKOUT_TEXTS } from '../checkout-texts.js';
import type { Messages } from '../message-types.js';

export const checkout: Messages<typeof CHECKOUT_TEXTS> = {
  everyPeriod:
    '{unit, select, day {{value, plural, =1 {毎日} other {#日ごと}}} ' +
    'week {{value, plural, =1 {毎週} other {#週間ごと}}} ' +
    'month {{value, plural, =1 {毎月} other {#か月ごと}}} ' +
    'other {{value, plural, =1 {毎年} other {#年ごと}}}}',
  duration:
    '{unit, select, day {{value}日間} week {{value}週間} month {{value}か月} other {{value}年}}',
  page: {
    skip: '本文へ移動',
    summary: 'ご注文内容',
    help: 'ヘルプ',
    terms: '利用規約',
    privacy: 'プライバシー',
    testMode: 'テストモード：実際の請求は発生しません',
  },
  offer: {
    title: '{planName}に登録する',
    dueToday: '本日のお支払い',
    freeTrial: '無料体験',
    afterTrial: '無料体験終了後',
    tax: '税',
    taxIncluded: '内税',
    taxOfDueDate: '税額には、各お支払い期日の税率が適用されます。',
    terms:
      '解約されるまで、{every}{price}{tax, select, added {（税別）} other {}}で自動更新されます。解約はいつでも可能で、' +
      'お支払い済みの期間の終わりまでご利用いただけます。',
    termsWithTrial:
      '{trial}の無料体験の終了後、解約されるまで{every}{price}{tax, select, added {（税別）} other {}}かかります。' +
      '無料体験中に解約された場合、料金はかかりません。',
  },
  change: {
    title: '{planName}に変更する',
    methodTitle: 'お支払い方法を変更する',
    openPeriod: '未払いの期間',
    newTime: '残りの期間の新しいプラン',
    unusedTime: '現在のプランの未使用期間',
    lostTime: '変更により失われる未使用期間',
    refundedTime: '返金される未使用期間',
    givenBack: 'お支払いに使われたカードへの返金額',
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
    pay: '{price}を支払う',
    startTrial: '無料体験を始める',
    declined: 'お支払いは拒否されました。請求は発生していません。別のカードをお試しください。',
    pauseSeconds: '拒否が続いています。次のお支払いまで{seconds}秒お待ちください。',
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
    PLAN_ALREADY_HELD:
      'このプラン、または代わりとなるプランをすでにご利用中です。請求は発生していません。',
    PLAN_NOT_AVAILABLE: 'このプランの販売は終了しました。請求は発生していません。',
    TRIAL_ALREADY_TAKEN: 'この無料トライアルはすでにご利用済みです。請求は発生していません。',
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
    ask: '{seller}が{price}を請求しようとしています。ご本人の場合のみ確認してください。',
    testBank: 'これはテストカードの銀行です。お金は動きません。',
    accept: 'お支払いを確認する',
    decline: 'お支払いを拒否する',
    accepted: 'このお支払いを確認しました。',
    declined: 'このお支払いを拒否しました。請求は発生していません。',
    backToCheckout: 'お支払いページに戻る',
  },
  completed: {
    title: '{planName}に登録しました',
    active: 'ありがとうございます。サブスクリプションが有効になりました。',
    trialBegun: 'ありがとうございます。{trial}の無料体験が始まりました。',
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
