import type { CHECKOUT_TEXTS } from '../checkout-texts.js';
import type { Messages } from '../message-types.js';

export const checkout: Messages<typeof CHECKOUT_TEXTS> = {
  everyPeriod:
    '{unit, select, day {{value, plural, =1 {por dia} other {a cada # dias}}} ' +
    'week {{value, plural, =1 {por semana} other {a cada # semanas}}} ' +
    'month {{value, plural, =1 {por mês} other {a cada # meses}}} ' +
    'other {{value, plural, =1 {por ano} other {a cada # anos}}}}',
  duration:
    '{unit, select, day {{value, plural, one {# dia} other {# dias}}} ' +
    'week {{value, plural, one {# semana} other {# semanas}}} ' +
    'month {{value, plural, one {# mês} other {# meses}}} ' +
    'other {{value, plural, one {# ano} other {# anos}}}}',
  page: {
    skip: 'Ir para o conteúdo',
    summary: 'Resumo',
    help: 'Ajuda',
    terms: 'Termos',
    privacy: 'Privacidade',
    testMode: 'Modo de teste: nenhum dinheiro é movimentado',
  },
  offer: {
    title: 'Assinar {planName}',
    dueToday: 'A pagar hoje',
    freeTrial: 'Teste grátis',
    afterTrial: 'Depois do teste',
    tax: 'Imposto',
    taxIncluded: 'Imposto incluído',
    taxOfDueDate: 'O imposto é cobrado pela alíquota do dia em que cada pagamento vence.',
    terms:
      'A assinatura é renovada por {price}{tax, select, added { mais impostos} other {}} {every} até ' +
      'você cancelar. Você pode cancelar a qualquer momento e mantém o acesso até o fim do período pago.',
    termsWithTrial:
      'Depois de {trial}, a assinatura custa {price}{tax, select, added { mais impostos} other {}} ' +
      '{every} até você cancelar. Se cancelar durante o teste, você não paga nada.',
  },
  change: {
    title: 'Mudar para {planName}',
    methodTitle: 'Pagar de outra forma',
    openPeriod: 'O período em aberto',
    newTime: 'O novo plano, pelo resto do período',
    unusedTime: 'Tempo não usado do plano atual',
    lostTime: 'Tempo não usado que se perde com a mudança',
    refundedTime: 'Tempo não usado que é devolvido',
    givenBack: 'Reembolsado no cartão que pagou',
    confirm: 'Confirmar a mudança',
    notNow: 'Esta mudança não é possível no momento. Nada foi cobrado. Volte ao jogo.',
    methodChanged: 'Obrigado! A partir de agora, sua assinatura é paga desta forma.',
  },
  payment: {
    legend: 'Pagar com',
    testCards: 'São cartões de teste: nenhum dinheiro é movimentado.',
    cardPage:
      'Você digita seu cartão em uma página da Stripe, nosso provedor de pagamentos. Quando você ' +
      'voltar, continuamos automaticamente.',
    methods: {
      pm_ok: 'Cartão que é aceito',
      pm_decline_insufficient_funds: 'Cartão sem saldo suficiente',
      pm_renewal_declines: 'Cartão aceito uma vez e recusado na renovação',
      pm_authentication_required: 'Cartão que pede uma confirmação',
      pm_pending: 'Cartão cujo banco demora a responder',
    },
    pay: 'Pagar {price}',
    startTrial: 'Começar o teste grátis',
    declined: 'O pagamento foi recusado e nada foi cobrado. Tente outro cartão.',
    pauseSeconds:
      'Muitas recusas seguidas: aguarde {seconds, number} s antes da próxima tentativa.',
    unanswered:
      'Seu banco ainda não respondeu. Você pode esperar aqui ou pagar agora de outra forma: se o ' +
      'primeiro pagamento for concluído depois disso, ele é devolvido automaticamente.',
    cancel: 'Voltar ao jogo sem pagar',
  },
  script: {
    asking: 'Um momento: estamos consultando seu banco.',
    stillAsking: 'Seu banco ainda não respondeu. Espere aqui ou pague de outra forma.',
    unreachable: 'Não foi possível conectar. Tente de novo: você paga uma única vez.',
    paused: 'Aguarde. Você poderá continuar em {seconds} s.',
  },
  refusals: {
    AMOUNT_CHANGED: 'O valor a pagar mudou e nada foi cobrado. Confira de novo.',
    PLAN_ALREADY_HELD: 'Você já tem este plano ou outro que o substitui. Nada foi cobrado.',
    PLAN_NOT_AVAILABLE: 'Este plano não está mais à venda. Nada foi cobrado.',
    TRIAL_ALREADY_TAKEN: 'Você já usou este período de teste gratuito. Nada foi cobrado.',
    other: 'Não foi possível iniciar o pagamento. Tente de novo: você paga uma única vez.',
  },
  pending: {
    title: 'Seu pagamento está a caminho',
    text:
      'Seu banco ainda não respondeu. Esta página mostra o resultado assim que ele for conhecido. ' +
      'Você também pode fechá-la: nós continuamos, e você paga uma única vez.',
  },
  challenged: {
    title: 'Seu banco pede uma confirmação',
    text:
      'O pagamento é feito quando você o confirmar com seu banco. Se acabou de fazer isso, esta página ' +
      'mostra o resultado assim que ele for conhecido. Você paga uma única vez.',
    goToBank: 'Confirmar com seu banco',
    otherWay:
      'Ou pague de outra forma: se depois disso você confirmar o primeiro pagamento, ele é devolvido ' +
      'automaticamente.',
  },
  bank: {
    title: 'Este pagamento é seu?',
    ask: '{seller} quer cobrar {price} de você. Confirme somente se for você.',
    testBank: 'Este é o banco de um cartão de teste: nenhum dinheiro é movimentado.',
    accept: 'Confirmar o pagamento',
    decline: 'Recusar o pagamento',
    accepted: 'Você confirmou este pagamento.',
    declined: 'Você recusou este pagamento e nada foi cobrado.',
    backToCheckout: 'Voltar ao pagamento',
  },
  completed: {
    title: 'Você assinou {planName}',
    active: 'Obrigado! Sua assinatura está ativa.',
    trialBegun: 'Obrigado! Seu teste grátis de {trial} começou.',
    whatNow: 'Você pode fechar esta página e voltar ao jogo.',
    backToGame: 'Voltar ao jogo',
  },
  locked: {
    title: 'Este link está bloqueado',
    text:
      'Muitos pagamentos foram recusados aqui; por segurança o link está bloqueado e nada foi cobrado. ' +
      'Volte ao jogo e peça um novo link, ou consulte antes seu banco.',
  },
  expired: {
    title: 'Este link expirou',
    text: 'Nada foi cobrado. Volte ao jogo e peça um novo link.',
  },
  missing: {
    title: 'Esta oferta não existe',
    text: 'O endereço está incompleto ou nunca existiu. Volte ao jogo e tente de novo.',
  },
  unavailable: {
    title: 'Esta página não pode ser mostrada agora',
    text: 'Nada foi cobrado ao abri-la. Carregue a página de novo em um minuto.',
  },
  notConfigured: {
    title: 'Ainda não é possível pagar aqui',
    text: 'A loja ainda não pode receber pagamentos. Nada foi cobrado. Volte mais tarde.',
  },
};
