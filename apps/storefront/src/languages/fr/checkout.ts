import type { CHECKOUT_TEXTS } from '../checkout-texts.js';
import type { Messages } from '../message-types.js';

export const checkout: Messages<typeof CHECKOUT_TEXTS> = {
  everyPeriod:
    '{unit, select, day {{value, plural, =1 {par jour} other {tous les # jours}}} ' +
    'week {{value, plural, =1 {par semaine} other {toutes les # semaines}}} ' +
    'month {{value, plural, =1 {par mois} other {tous les # mois}}} ' +
    'other {{value, plural, =1 {par an} other {tous les # ans}}}}',
  duration:
    '{unit, select, day {{value, plural, one {# jour} other {# jours}}} ' +
    'week {{value, plural, one {# semaine} other {# semaines}}} ' +
    'month {{value, number} mois} other {{value, plural, one {# an} other {# ans}}}}',
  page: {
    skip: 'Aller au contenu',
    summary: 'Récapitulatif',
    help: 'Aide',
    terms: 'Conditions',
    privacy: 'Confidentialité',
    testMode: 'Mode test : aucun argent ne circule',
  },
  offer: {
    title: 'S’abonner à {planName}',
    dueToday: 'À payer aujourd’hui',
    freeTrial: 'Essai gratuit',
    afterTrial: 'Après l’essai',
    tax: 'Taxe',
    taxIncluded: 'Taxe incluse',
    taxOfDueDate: 'Le taux de taxe appliqué est celui du jour où chaque paiement est dû.',
    terms:
      'L’abonnement se renouvelle au prix de {price}{tax, select, added { hors taxes} other {}} {every} jusqu’à sa résiliation. Vous ' +
      'pouvez le résilier à tout moment et gardez l’accès jusqu’à la fin de la période payée.',
    termsWithTrial:
      'Après {trial}, l’abonnement coûte {price}{tax, select, added { hors taxes} other {}} {every} jusqu’à sa résiliation. Si vous le ' +
      'résiliez pendant l’essai, vous ne payez rien.',
  },
  change: {
    title: 'Passer à {planName}',
    methodTitle: 'Payer autrement',
    openPeriod: 'La période impayée',
    newTime: 'La nouvelle formule, pour le reste de la période',
    unusedTime: 'Temps non utilisé de la formule actuelle',
    lostTime: 'Temps non utilisé perdu avec le changement',
    refundedTime: 'Temps non utilisé remboursé',
    givenBack: 'Remboursé sur la carte qui a servi au paiement',
    confirm: 'Confirmer le changement',
    notNow:
      'Ce changement n’est pas possible pour le moment. Rien n’a été débité. Retournez au jeu.',
    methodChanged: 'Merci ! Votre abonnement est désormais payé par ce moyen.',
  },
  payment: {
    legend: 'Payer avec',
    testCards: 'Ce sont des cartes de test : aucun argent ne circule.',
    cardPage:
      'Vous saisissez votre carte sur une page de Stripe, notre prestataire de paiement. À votre retour, ' +
      'tout continue automatiquement.',
    methods: {
      pm_ok: 'Carte acceptée',
      pm_decline_insufficient_funds: 'Carte sans provision suffisante',
      pm_renewal_declines: 'Carte acceptée une fois, puis refusée au renouvellement',
      pm_authentication_required: 'Carte qui demande une confirmation',
      pm_pending: 'Carte dont la banque prend son temps',
    },
    pay: 'Payer {price}',
    startTrial: 'Commencer l’essai gratuit',
    declined: 'Le paiement a été refusé et rien n’a été débité. Essayez une autre carte.',
    pauseSeconds:
      'Trop de refus à la suite : veuillez attendre {seconds} s avant le prochain paiement.',
    unanswered:
      'Votre banque n’a pas encore répondu. Vous pouvez attendre ici ou payer autrement dès ' +
      'maintenant : si le premier paiement aboutit ensuite, il vous sera remboursé automatiquement.',
    cancel: 'Revenir au jeu sans payer',
  },
  script: {
    asking: 'Un instant : nous interrogeons votre banque.',
    stillAsking: 'Votre banque n’a pas encore répondu. Attendez ici ou payez autrement.',
    unreachable: 'Nous étions injoignables. Veuillez réessayer : vous ne payez qu’une fois.',
    paused: 'Veuillez patienter. Vous pourrez continuer dans {seconds} s.',
  },
  refusals: {
    AMOUNT_CHANGED: 'Le montant dû a changé. Rien n’a été débité. Veuillez le vérifier.',
    PLAN_ALREADY_HELD:
      'Vous avez déjà cette formule, ou une formule équivalente. Rien n’a été débité.',
    PLAN_NOT_AVAILABLE: 'Cette formule n’est plus en vente. Rien n’a été débité.',
    TRIAL_ALREADY_TAKEN: 'Vous avez déjà profité de cet essai gratuit. Rien n’a été débité.',
    other: 'Le paiement n’a pas pu commencer. Veuillez réessayer : vous ne payez qu’une fois.',
  },
  pending: {
    title: 'Votre paiement est en cours',
    text:
      'Votre banque n’a pas encore répondu. Cette page affiche le résultat dès qu’il est connu. Vous ' +
      'pouvez aussi la fermer : nous continuons, et vous ne payez qu’une fois.',
  },
  challenged: {
    title: 'Votre banque demande une confirmation',
    text:
      'Le paiement est effectué une fois confirmé auprès de votre banque. Si vous venez de le faire, ' +
      'cette page affiche le résultat dès qu’il est connu. Vous ne payez qu’une fois.',
    goToBank: 'Confirmer auprès de votre banque',
    otherWay:
      'Ou payez autrement : si vous confirmez le premier paiement ensuite, il vous sera remboursé ' +
      'automatiquement.',
  },
  bank: {
    title: 'Est-ce bien votre paiement ?',
    ask: '{seller} veut vous débiter {price}. Ne confirmez que si c’est bien vous.',
    testBank: 'Ceci est la banque d’une carte de test : aucun argent n’est débité.',
    accept: 'Confirmer le paiement',
    decline: 'Refuser le paiement',
    accepted: 'Vous avez confirmé ce paiement.',
    declined: 'Vous avez refusé ce paiement et rien n’a été débité.',
    backToCheckout: 'Revenir au paiement',
  },
  completed: {
    title: 'Vous êtes abonné à {planName}',
    active: 'Merci ! Votre abonnement est actif.',
    trialBegun: 'Merci ! Votre essai gratuit de {trial} a commencé.',
    whatNow: 'Vous pouvez fermer cette page et revenir au jeu.',
    backToGame: 'Revenir au jeu',
  },
  locked: {
    title: 'Ce lien est bloqué',
    text:
      'Trop de paiements ont été refusés ici : ce lien est bloqué par sécurité, et rien n’a été ' +
      'débité. Revenez au jeu et demandez un nouveau lien, ou interrogez d’abord votre banque.',
  },
  expired: {
    title: 'Ce lien a expiré',
    text: 'Rien n’a été débité. Revenez au jeu et demandez un nouveau lien.',
  },
  missing: {
    title: 'Cette offre n’existe pas',
    text: 'L’adresse est incomplète ou n’a jamais existé. Revenez au jeu et réessayez.',
  },
  unavailable: {
    title: 'Cette page ne peut pas être affichée pour le moment',
    text: 'Rien n’a été débité en l’ouvrant. Rechargez la page dans une minute.',
  },
  notConfigured: {
    title: 'Rien ne peut encore être payé ici',
    text: 'La boutique ne peut pas encore encaisser. Rien n’a été débité. Revenez plus tard.',
  },
};
