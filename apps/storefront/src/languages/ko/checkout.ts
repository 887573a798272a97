import type { CHECKOUT_TEXTS } from '../checkout-texts.js';
import type { Messages } from '../message-types.js';

export const checkout: Messages<typeof CHECKOUT_TEXTS> = {
  everyPeriod:
    '{unit, select, day {{value, plural, =1 {매일} other {#일마다}}} ' +
    'week {{value, plural, =1 {매주} other {#주마다}}} ' +
    'month {{value, plural, =1 {매월} other {#개월마다}}} ' +
    'other {{value, plural, =1 {매년} other {#년마다}}}}',
  duration:
    '{unit, select, day {{value, number}일} week {{value, number}주} month {{value, number}개월} ' +
    'other {{value, number}년}}',
  page: {
    skip: '본문으로 이동',
    summary: '결제 내용',
    help: '도움말',
    terms: '이용약관',
    privacy: '개인정보처리방침',
    testMode: '테스트 모드: 실제로 결제되지 않습니다',
  },
  offer: {
    title: '{planName} 구독하기',
    dueToday: '오늘 결제 금액',
    freeTrial: '무료 체험',
    afterTrial: '무료 체험 종료 후',
    tax: '세금',
    taxIncluded: '세금 포함',
    taxOfDueDate: '세금은 각 결제 예정일의 세율로 부과됩니다.',
    terms:
      '구독은 해지할 때까지 {every} {price}{tax, select, added {(세금 별도)} other {}}(으)로 자동 ' +
      '갱신됩니다. 언제든지 해지할 수 있으며, 결제한 기간이 끝날 때까지 이용할 수 있습니다.',
    termsWithTrial:
      '{trial}의 무료 체험이 끝나면 해지할 때까지 {every} ' +
      '{price}{tax, select, added {(세금 별도)} other {}}이(가) 청구됩니다. 무료 체험 중에 해지하면 ' +
      '요금이 청구되지 않습니다.',
  },
  change: {
    title: '{planName}(으)로 변경',
    methodTitle: '결제 수단 변경',
    openPeriod: '미납 기간',
    newTime: '남은 기간의 새 요금제',
    unusedTime: '현재 요금제의 미사용 기간',
    lostTime: '변경 시 소멸되는 미사용 기간',
    refundedTime: '환불되는 미사용 기간',
    givenBack: '결제한 카드로 환불되는 금액',
    confirm: '변경 확인',
    notNow: '지금은 변경할 수 없습니다. 청구된 금액은 없습니다. 게임으로 돌아가세요.',
    methodChanged: '감사합니다! 앞으로 이 결제 수단으로 구독료가 결제됩니다.',
  },
  payment: {
    legend: '결제 수단',
    testCards: '테스트 카드입니다. 실제로 결제되지 않습니다.',
    cardPage:
      '카드 정보는 결제 대행사 Stripe의 페이지에서 입력합니다. 돌아오시면 자동으로 계속됩니다.',
    methods: {
      pm_ok: '승인되는 카드',
      pm_decline_insufficient_funds: '잔액이 부족한 카드',
      pm_renewal_declines: '처음에는 승인되고 갱신 시 거절되는 카드',
      pm_authentication_required: '본인 확인이 필요한 카드',
      pm_pending: '은행 응답이 늦는 카드',
    },
    pay: '{price} 결제하기',
    startTrial: '무료 체험 시작하기',
    declined: '결제가 거절되었으며 청구된 금액은 없습니다. 다른 카드를 사용해 보세요.',
    pauseSeconds: '결제가 여러 번 거절되었습니다. {seconds, number}초 후에 다시 시도해 주세요.',
    unanswered:
      '은행에서 아직 응답이 없습니다. 여기서 기다리거나 지금 다른 방법으로 결제할 수 있습니다. 그 후에 ' +
      '첫 번째 결제가 완료되면 자동으로 환불됩니다.',
    cancel: '결제하지 않고 게임으로 돌아가기',
  },
  script: {
    asking: '잠시만 기다려 주세요. 은행에 확인하고 있습니다.',
    stillAsking: '은행에서 아직 응답이 없습니다. 기다리거나 다른 방법으로 결제하세요.',
    unreachable: '연결할 수 없었습니다. 다시 시도해 주세요. 결제는 한 번만 이루어집니다.',
    paused: '잠시 기다려 주세요. {seconds}초 후에 계속할 수 있습니다.',
  },
  refusals: {
    AMOUNT_CHANGED: '결제 금액이 변경되었습니다. 청구된 금액은 없습니다. 다시 확인해 주세요.',
    PLAN_ALREADY_HELD:
      '이 요금제 또는 이를 대신하는 요금제를 이미 이용 중입니다. 청구된 금액은 없습니다.',
    PLAN_NOT_AVAILABLE: '이 요금제는 더 이상 판매되지 않습니다. 청구된 금액은 없습니다.',
    TRIAL_ALREADY_TAKEN: '이 무료 체험은 이미 이용하셨습니다. 청구된 금액은 없습니다.',
    other: '결제를 시작할 수 없었습니다. 다시 시도해 주세요. 결제는 한 번만 이루어집니다.',
  },
  pending: {
    title: '결제를 처리하고 있습니다',
    text:
      '은행에서 아직 응답이 없습니다. 결과가 나오는 대로 이 페이지에 표시됩니다. 페이지를 닫아도 처리는 ' +
      '계속되며, 결제는 한 번만 이루어집니다.',
  },
  challenged: {
    title: '은행에서 본인 확인을 요청합니다',
    text:
      '은행에서 확인하시면 결제가 완료됩니다. 이미 확인하셨다면 결과가 나오는 대로 이 페이지에 표시됩니다. ' +
      '결제는 한 번만 이루어집니다.',
    goToBank: '은행에서 확인하기',
    otherWay:
      '다른 방법으로 결제할 수도 있습니다. 그 후에 첫 번째 결제를 확인하시면 자동으로 환불됩니다.',
  },
  bank: {
    title: '본인의 결제가 맞습니까?',
    ask: '{seller}에서 {price}을(를) 청구하려고 합니다. 본인인 경우에만 확인하세요.',
    testBank: '테스트 카드의 은행입니다. 실제로 결제되지 않습니다.',
    accept: '결제 확인',
    decline: '결제 거절',
    accepted: '이 결제를 확인했습니다.',
    declined: '이 결제를 거절했으며 청구된 금액은 없습니다.',
    backToCheckout: '결제 페이지로 돌아가기',
  },
  completed: {
    title: '{planName} 구독이 시작되었습니다',
    active: '감사합니다! 구독이 활성화되었습니다.',
    trialBegun: '감사합니다! {trial}의 무료 체험이 시작되었습니다.',
    whatNow: '이 페이지를 닫고 게임으로 돌아가셔도 됩니다.',
    backToGame: '게임으로 돌아가기',
  },
  locked: {
    title: '이 링크는 잠겨 있습니다',
    text:
      '결제가 너무 많이 거절되어 안전을 위해 링크를 잠갔으며, 청구된 금액은 없습니다. 게임으로 돌아가 새 ' +
      '링크를 받거나 먼저 은행에 문의하세요.',
  },
  expired: {
    title: '이 링크는 만료되었습니다',
    text: '청구된 금액은 없습니다. 게임으로 돌아가 새 링크를 받으세요.',
  },
  missing: {
    title: '이 상품은 존재하지 않습니다',
    text: '주소가 올바르지 않거나 존재하지 않습니다. 게임으로 돌아가 다시 시도하세요.',
  },
  unavailable: {
    title: '지금은 이 페이지를 표시할 수 없습니다',
    text: '페이지를 여는 것만으로는 청구되지 않습니다. 1분 후에 다시 불러오세요.',
  },
  notConfigured: {
    title: '아직 여기서 결제할 수 없습니다',
    text: '상점에서 아직 결제를 받을 수 없습니다. 청구된 금액은 없습니다. 나중에 다시 방문해 주세요.',
  },
};
