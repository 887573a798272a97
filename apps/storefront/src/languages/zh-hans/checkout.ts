import type { CHECKOUT_TEXTS } from '../checkout-texts.js';
import type { Messages } from '../message-types.js';

export const checkout: Messages<typeof CHECKOUT_TEXTS> = {
  everyPeriod:
    '{unit, select, day {{value, plural, =1 {每天} other {每 # 天}}} ' +
    'week {{value, plural, =1 {每周} other {每 # 周}}} ' +
    'month {{value, plural, =1 {每月} other {每 # 个月}}} ' +
    'other {{value, plural, =1 {每年} other {每 # 年}}}}',
  duration:
    '{unit, select, day {{value, number} 天} week {{value, number} 周} month {{value, number} 个月} ' +
    'other {{value, number} 年}}',
  page: {
    skip: '跳到正文',
    summary: '摘要',
    help: '帮助',
    terms: '条款',
    privacy: '隐私',
    testMode: '测试模式：不会产生真实扣款',
  },
  offer: {
    title: '订阅 {planName}',
    dueToday: '今日应付',
    freeTrial: '免费试用',
    afterTrial: '试用结束后',
    tax: '税费',
    taxIncluded: '已含税费',
    taxOfDueDate: '税费按每次付款到期日的税率收取。',
    terms:
      '订阅将以{every} {price}{tax, select, added {（另加税费）} other {}}自动续订，直到你取消为止。' +
      '你可以随时取消，并可使用至已付费周期结束。',
    termsWithTrial:
      '{trial}试用结束后，订阅费用为{every} {price}{tax, select, added {（另加税费）} other {}}，' +
      '直到你取消为止。试用期间取消则无需付费。',
  },
  change: {
    title: '更改为 {planName}',
    methodTitle: '更换付款方式',
    openPeriod: '未付款的周期',
    newTime: '新方案，本周期剩余时间',
    unusedTime: '当前方案未使用的时间',
    lostTime: '更改后失效的未使用时间',
    refundedTime: '将退款的未使用时间',
    givenBack: '退回原付款卡的金额',
    confirm: '确认更改',
    notNow: '目前无法进行此更改，未产生任何扣款。请返回游戏。',
    methodChanged: '谢谢！今后你的订阅将以此方式付款。',
  },
  payment: {
    legend: '付款方式',
    testCards: '这些是测试卡，不会产生真实扣款。',
    cardPage: '你将在我们的支付服务商 Stripe 的页面上输入卡片信息。返回后会自动继续。',
    methods: {
      pm_ok: '会被接受的卡',
      pm_decline_insufficient_funds: '余额不足的卡',
      pm_renewal_declines: '首次接受、续订时被拒的卡',
      pm_authentication_required: '需要验证的卡',
      pm_pending: '银行响应较慢的卡',
    },
    pay: '支付 {price}',
    startTrial: '开始免费试用',
    declined: '付款被拒绝，未产生任何扣款。请换一张卡试试。',
    pauseSeconds: '连续被拒次数过多：请等待 {seconds, number} 秒后再试。',
    unanswered:
      '你的银行尚未答复。你可以在此等待，或现在用其他方式付款：如果第一笔付款之后成功，将自动退还给你。',
    cancel: '不付款，返回游戏',
  },
  script: {
    asking: '请稍候：我们正在向你的银行确认。',
    stillAsking: '你的银行尚未答复。请在此等待，或用其他方式付款。',
    unreachable: '无法连接。请重试：你只会付款一次。',
    paused: '请稍候。{seconds} 秒后可以继续。',
  },
  refusals: {
    AMOUNT_CHANGED: '应付金额已变更，未产生任何扣款。请重新确认。',
    PLAN_ALREADY_HELD: '你已拥有此方案，或可替代它的方案。未产生任何扣款。',
    PLAN_NOT_AVAILABLE: '此方案已停止销售。未产生任何扣款。',
    TRIAL_ALREADY_TAKEN: '你已使用过此免费试用。未产生任何扣款。',
    other: '无法开始付款。请重试：你只会付款一次。',
  },
  pending: {
    title: '正在处理你的付款',
    text: '你的银行尚未答复。一有结果，本页就会显示。你也可以关闭本页：我们会继续处理，你只会付款一次。',
  },
  challenged: {
    title: '你的银行要求你确认',
    text: '你在银行确认后，付款才会完成。如果你刚刚确认过，一有结果本页就会显示。你只会付款一次。',
    goToBank: '前往银行确认',
    otherWay: '你也可以用其他方式付款：如果之后又确认了第一笔付款，将自动退还给你。',
  },
  bank: {
    title: '这笔付款是你本人操作的吗？',
    ask: '{seller} 将向你收取 {price}。仅在是你本人时确认。',
    testBank: '这是测试卡的银行，不会产生真实扣款。',
    accept: '确认付款',
    decline: '拒绝付款',
    accepted: '你已确认这笔付款。',
    declined: '你已拒绝这笔付款，未产生任何扣款。',
    backToCheckout: '返回付款页面',
  },
  completed: {
    title: '你已订阅 {planName}',
    active: '谢谢！你的订阅已生效。',
    trialBegun: '谢谢！你的 {trial}免费试用已开始。',
    whatNow: '你可以关闭本页并返回游戏。',
    backToGame: '返回游戏',
  },
  locked: {
    title: '此链接已锁定',
    text:
      '此处被拒绝的付款过多，为安全起见已锁定此链接，未产生任何扣款。请返回游戏获取新链接，' +
      '或先向银行咨询你的卡。',
  },
  expired: {
    title: '此链接已过期',
    text: '未产生任何扣款。请返回游戏获取新链接。',
  },
  missing: {
    title: '没有这个商品',
    text: '地址不完整或不存在。请返回游戏重试。',
  },
  unavailable: {
    title: '目前无法显示此页面',
    text: '打开页面不会产生扣款。请一分钟后重新加载。',
  },
  notConfigured: {
    title: '这里暂时无法付款',
    text: '商店尚未准备好收款。未产生任何扣款。请稍后再来。',
  },
};
