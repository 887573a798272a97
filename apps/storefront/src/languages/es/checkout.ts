import type { CHECKOUT_TEXTS } from '../checkout-texts.js';
import type { Messages } from '../message-types.js';

export const checkout: Messages<typeof CHECKOUT_TEXTS> = {
  everyPeriod:
    '{unit, select, day {{value, plural, =1 {cada día} other {cada # días}}} ' +
    'week {{value, plural, =1 {cada semana} other {cada # semanas}}} ' +
    'month {{value, plural, =1 {cada mes} other {cada # meses}}} ' +
    'other {{value, plural, =1 {cada año} other {cada # años}}}}',
  duration:
    '{unit, select, day {{value, plural, one {# día} other {# días}}} ' +
    'week {{value, plural, one {# semana} other {# semanas}}} ' +
    'month {{value, plural, one {# mes} other {# meses}}} ' +
    'other {{value, plural, one {# año} other {# años}}}}',
  page: {
    skip: 'Ir al contenido',
    summary: 'Resumen',
    help: 'Ayuda',
    terms: 'Condiciones',
    privacy: 'Privacidad',
    testMode: 'Modo de prueba: no se mueve dinero',
  },
  offer: {
    title: 'Suscribirse a {planName}',
    dueToday: 'A pagar hoy',
    freeTrial: 'Prueba gratuita',
    afterTrial: 'Después de la prueba',
    tax: 'Impuestos',
    taxIncluded: 'Impuestos incluidos',
    taxOfDueDate: 'Se aplica el tipo impositivo vigente el día en que vence cada pago.',
    terms:
      'La suscripción se renueva por {price}{tax, select, added { más impuestos} other {}} {every} hasta que la canceles. Puedes cancelarla ' +
      'en cualquier momento y conservas el acceso hasta el final del periodo pagado.',
    termsWithTrial:
      'Después de {trial}, la suscripción cuesta {price}{tax, select, added { más impuestos} other {}} {every} hasta que la canceles. Si la ' +
      'cancelas durante la prueba, no pagas nada.',
  },
  change: {
    title: 'Cambiar a {planName}',
    methodTitle: 'Pagar de otra forma',
    openPeriod: 'El periodo pendiente',
    newTime: 'El nuevo plan, por el resto del periodo',
    unusedTime: 'Tiempo no usado del plan actual',
    lostTime: 'Tiempo no usado que se pierde con el cambio',
    refundedTime: 'Tiempo no usado que se devuelve',
    givenBack: 'Se reembolsa a la tarjeta con que se pagó',
    confirm: 'Confirmar el cambio',
    notNow: 'Este cambio no es posible por ahora. No se cobró nada. Vuelve al juego.',
    methodChanged: '¡Gracias! Tu suscripción se paga así a partir de ahora.',
  },
  payment: {
    legend: 'Pagar con',
    testCards: 'Son tarjetas de prueba: no se mueve dinero.',
    cardPage:
      'Introduces tu tarjeta en una página de Stripe, nuestro proveedor de pagos. Cuando vuelvas, ' +
      'seguimos automáticamente.',
    methods: {
      pm_ok: 'Tarjeta que se acepta',
      pm_decline_insufficient_funds: 'Tarjeta sin fondos suficientes',
      pm_renewal_declines: 'Tarjeta que se acepta una vez y se rechaza al renovar',
      pm_authentication_required: 'Tarjeta que pide una confirmación',
      pm_pending: 'Tarjeta cuyo banco tarda en responder',
    },
    pay: 'Pagar {price}',
    startTrial: 'Empezar la prueba gratuita',
    declined: 'El pago fue rechazado y no se cobró nada. Prueba con otra tarjeta.',
    pauseSeconds: 'Demasiados pagos rechazados seguidos: espera {seconds} s antes del siguiente.',
    unanswered:
      'Tu banco aún no ha respondido. Puedes esperar aquí o pagar ahora de otra forma: si el primer ' +
      'pago se completa después, se te devolverá automáticamente.',
    cancel: 'Volver al juego sin pagar',
  },
  script: {
    asking: 'Un momento: estamos consultando a tu banco.',
    stillAsking: 'Tu banco aún no ha respondido. Espera aquí o paga de otra forma.',
    unreachable: 'No pudimos conectar. Inténtalo de nuevo: solo pagas una vez.',
    paused: 'Espera, por favor. Podrás continuar en {seconds} s.',
  },
  refusals: {
    AMOUNT_CHANGED: 'El importe ha cambiado. No se cobró nada. Revísalo de nuevo.',
    PLAN_ALREADY_HELD: 'Ya tienes este plan u otro que lo sustituye. No se cobró nada.',
    PLAN_NOT_AVAILABLE: 'Este plan ya no está a la venta. No se cobró nada.',
    TRIAL_ALREADY_TAKEN: 'Ya has disfrutado de esta prueba gratuita. No se cobró nada.',
    other: 'No se pudo iniciar el pago. Inténtalo de nuevo: solo pagas una vez.',
  },
  pending: {
    title: 'Tu pago está en camino',
    text:
      'Tu banco aún no ha respondido. Esta página muestra el resultado en cuanto se conozca. También ' +
      'puedes cerrarla: nosotros seguimos, y solo pagas una vez.',
  },
  challenged: {
    title: 'Tu banco pide una confirmación',
    text:
      'El pago se hace cuando lo confirmes con tu banco. Si acabas de hacerlo, esta página muestra el ' +
      'resultado en cuanto se conozca. Solo pagas una vez.',
    goToBank: 'Confirmar con tu banco',
    otherWay:
      'O paga de otra forma: si después confirmas el primer pago, se te devolverá automáticamente.',
  },
  bank: {
    title: '¿Es tuyo este pago?',
    ask: '{seller} quiere cobrarte {price}. Confírmalo solo si eres tú.',
    testBank: 'Este es el banco de una tarjeta de prueba: no se mueve dinero.',
    accept: 'Confirmar el pago',
    decline: 'Rechazar el pago',
    accepted: 'Has confirmado este pago.',
    declined: 'Has rechazado este pago y no se cobró nada.',
    backToCheckout: 'Volver al pago',
  },
  completed: {
    title: 'Te has suscrito a {planName}',
    active: '¡Gracias! Tu suscripción está activa.',
    trialBegun: '¡Gracias! Tu prueba gratuita de {trial} ha comenzado.',
    whatNow: 'Puedes cerrar esta página y volver al juego.',
    backToGame: 'Volver al juego',
  },
  locked: {
    title: 'Este enlace está bloqueado',
    text:
      'Aquí se rechazaron demasiados pagos; por seguridad el enlace está bloqueado y no se cobró ' +
      'nada. Vuelve al juego y pide un enlace nuevo, o consulta antes a tu banco.',
  },
  expired: {
    title: 'Este enlace ha caducado',
    text: 'No se cobró nada. Vuelve al juego y pide un enlace nuevo.',
  },
  missing: {
    title: 'Esta oferta no existe',
    text: 'La dirección está incompleta o nunca existió. Vuelve al juego e inténtalo de nuevo.',
  },
  unavailable: {
    title: 'Esta página no se puede mostrar ahora',
    text: 'No se cobró nada al abrirla. Vuelve a cargar la página dentro de un minuto.',
  },
  notConfigured: {
    title: 'Aquí todavía no se puede pagar',
    text: 'La tienda aún no puede aceptar pagos. No se cobró nada. Vuelve más tarde.',
  },
};
