import type { CHECKOUT_TEXTS } from '../checkout-texts.js';
import type { Messages } from '../message-types.js';

export const checkout: Messages<typeof CHECKOUT_TEXTS> = {
  everyPeriod:
    '{unit, select, day {{value, plural, =1 {pro Tag} other {alle # Tage}}} ' +
    'week {{value, plural, =1 {pro Woche} other {alle # Wochen}}} ' +
    'month {{value, plural, =1 {pro Monat} other {alle # Monate}}} ' +
    'other {{value, plural, =1 {pro Jahr} other {alle # Jahre}}}}',
  duration:
    '{unit, select, day {{value, plural, one {# Tag} other {# Tage}}} ' +
    'week {{value, plural, one {# Woche} other {# Wochen}}} ' +
    'month {{value, plural, one {# Monat} other {# Monate}}} ' +
    'other {{value, plural, one {# Jahr} other {# Jahre}}}}',
  page: {
    skip: 'Zum Inhalt springen',
    summary: 'Übersicht',
    help: 'Hilfe',
    terms: 'Nutzungsbedingungen',
    privacy: 'Datenschutz',
    testMode: 'Testmodus: Es fließt kein Geld',
  },
  offer: {
    title: '{planName} abonnieren',
    dueToday: 'Heute fällig',
    freeTrial: 'Kostenlos testen',
    afterTrial: 'Nach der Testphase',
    tax: 'Steuer',
    taxIncluded: 'Enthaltene Steuer',
    taxOfDueDate: 'Es gilt der Steuersatz des Tages, an dem eine Zahlung fällig ist.',
    terms:
      'Das Abo verlängert sich für {price}{tax, select, added { zuzüglich Steuer} other {}} {every}, bis du es kündigst. Du kannst jederzeit ' +
      'kündigen und behältst den Zugang bis zum Ende des bezahlten Zeitraums.',
    termsWithTrial:
      'Nach der Testphase ({trial}) kostet das Abo {price}{tax, select, added { zuzüglich Steuer} other {}} {every}, bis du es kündigst. ' +
      'Kündigst du während der Testphase, zahlst du nichts.',
  },
  change: {
    title: 'Zu {planName} wechseln',
    methodTitle: 'Anders bezahlen',
    openPeriod: 'Der offene Zeitraum',
    newTime: 'Das neue Abo für den Rest des Zeitraums',
    unusedTime: 'Nicht genutzte Zeit des jetzigen Abos',
    lostTime: 'Nicht genutzte Zeit, die mit dem Wechsel verfällt',
    refundedTime: 'Nicht genutzte Zeit, die erstattet wird',
    givenBack: 'Erstattung auf die Karte, mit der bezahlt wurde',
    confirm: 'Wechsel bestätigen',
    notNow:
      'Dieser Wechsel ist zurzeit nicht möglich. Es wurde nichts abgebucht. Geh zurück zum Spiel.',
    methodChanged: 'Vielen Dank! Dein Abo wird von jetzt an so bezahlt.',
  },
  payment: {
    legend: 'Bezahlen mit',
    testCards: 'Das sind Testkarten: Es fließt kein Geld.',
    cardPage:
      'Deine Karte gibst du auf einer Seite von Stripe ein, unserem Zahlungsdienst. Sobald du zurück bist, ' +
      'geht es von selbst weiter.',
    methods: {
      pm_ok: 'Karte, die angenommen wird',
      pm_decline_insufficient_funds: 'Karte ohne ausreichende Deckung',
      pm_renewal_declines: 'Karte, die einmal angenommen und bei der Verlängerung abgelehnt wird',
      pm_authentication_required: 'Karte, die eine Bestätigung verlangt',
      pm_pending: 'Karte, deren Bank sich Zeit lässt',
    },
    pay: '{price} bezahlen',
    startTrial: 'Kostenlose Testphase starten',
    declined:
      'Die Zahlung wurde abgelehnt, und nichts wurde abgebucht. Versuche eine andere Karte.',
    pauseSeconds:
      'Zu viele Zahlungen wurden nacheinander abgelehnt: Bitte warte {seconds} s bis zur nächsten.',
    unanswered:
      'Deine Bank hat noch nicht geantwortet. Du kannst hier warten oder jetzt anders bezahlen: Geht ' +
      'die erste Zahlung danach doch noch durch, bekommst du sie von selbst zurück.',
    cancel: 'Zurück zum Spiel, ohne zu bezahlen',
  },
  script: {
    asking: 'Einen Moment: Wir fragen deine Bank.',
    stillAsking: 'Deine Bank hat noch nicht geantwortet. Warte hier oder bezahle anders.',
    unreachable: 'Wir waren nicht erreichbar. Bitte versuche es noch einmal: Du zahlst nur einmal.',
    paused: 'Bitte warte. In {seconds} s geht es weiter.',
  },
  refusals: {
    AMOUNT_CHANGED:
      'Der fällige Betrag hat sich geändert. Es wurde nichts abgebucht. Bitte sieh ihn dir noch einmal an.',
    PLAN_ALREADY_HELD:
      'Du hast dieses Abo schon, oder eines, das an seiner Stelle steht. Es wurde nichts abgebucht.',
    PLAN_NOT_AVAILABLE: 'Dieses Abo wird nicht mehr verkauft. Es wurde nichts abgebucht.',
    TRIAL_ALREADY_TAKEN: 'Du hattest diese kostenlose Testphase schon. Es wurde nichts abgebucht.',
    other:
      'Die Zahlung konnte nicht begonnen werden. Bitte versuche es noch einmal: Du zahlst nur einmal.',
  },
  pending: {
    title: 'Deine Zahlung ist unterwegs',
    text:
      'Deine Bank hat noch nicht geantwortet. Diese Seite zeigt das Ergebnis, sobald es bekannt ist. ' +
      'Du kannst sie auch schließen: Wir machen weiter, und du zahlst nur einmal.',
  },
  challenged: {
    title: 'Deine Bank verlangt eine Bestätigung',
    text:
      'Bezahlt ist erst, wenn du die Zahlung bei deiner Bank bestätigt hast. Hast du das gerade getan, ' +
      'zeigt diese Seite das Ergebnis, sobald es bekannt ist. Du zahlst nur einmal.',
    goToBank: 'Bei deiner Bank bestätigen',
    otherWay:
      'Oder bezahle anders: Bestätigst du die erste Zahlung danach doch noch, bekommst du sie von selbst ' +
      'zurück.',
  },
  bank: {
    title: 'Ist das deine Zahlung?',
    ask: '{seller} möchte {price} von dir abbuchen. Bestätige das nur, wenn du es selbst bist.',
    testBank: 'Das ist die Bank einer Testkarte: Es fließt kein Geld.',
    accept: 'Zahlung bestätigen',
    decline: 'Zahlung ablehnen',
    accepted: 'Du hast diese Zahlung bestätigt.',
    declined: 'Du hast diese Zahlung abgelehnt, und nichts wurde abgebucht.',
    backToCheckout: 'Zurück zur Kasse',
  },
  completed: {
    title: 'Du hast {planName} abonniert',
    active: 'Danke! Dein Abo ist aktiv.',
    trialBegun: 'Danke! Deine kostenlose Testphase hat begonnen: {trial}.',
    whatNow: 'Du kannst diese Seite schließen und zum Spiel zurückkehren.',
    backToGame: 'Zurück zum Spiel',
  },
  locked: {
    title: 'Dieser Link ist gesperrt',
    text:
      'Hier wurden zu viele Zahlungen abgelehnt. Der Link ist deshalb zur Sicherheit gesperrt, und ' +
      'nichts wurde abgebucht. Geh zurück zum Spiel und lass dir einen neuen Link geben, oder frage ' +
      'zuerst deine Bank nach deiner Karte.',
  },
  expired: {
    title: 'Dieser Link ist abgelaufen',
    text: 'Es wurde nichts abgebucht. Geh zurück zum Spiel und lass dir einen neuen Link geben.',
  },
  missing: {
    title: 'Dieses Angebot gibt es nicht',
    text:
      'Die Adresse ist unvollständig, oder es gab sie nie. Geh zurück zum Spiel und versuche es ' +
      'noch einmal.',
  },
  unavailable: {
    title: 'Diese Seite kann gerade nicht gezeigt werden',
    text: 'Durch das Öffnen wurde nichts abgebucht. Lade die Seite in einer Minute noch einmal.',
  },
  notConfigured: {
    title: 'Hier kann noch nichts bezahlt werden',
    text:
      'Der Shop kann noch keine Zahlungen annehmen. Es wurde nichts abgebucht. Bitte komm später ' +
      'wieder.',
  },
};
