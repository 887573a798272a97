import type { CHECKOUT_TEXTS } from '../checkout-texts.js';
import type { Messages } from '../message-types.js';

export const checkout: Messages<typeof CHECKOUT_TEXTS> = {
  everyPeriod:
    '{unit, select, day {{value, plural, =1 {her gün} other {her # günde bir}}} ' +
    'week {{value, plural, =1 {her hafta} other {her # haftada bir}}} ' +
    'month {{value, plural, =1 {her ay} other {her # ayda bir}}} ' +
    'other {{value, plural, =1 {her yıl} other {her # yılda bir}}}}',
  duration:
    '{unit, select, day {{value, number} gün} week {{value, number} hafta} month {{value, number} ay} ' +
    'other {{value, number} yıl}}',
  page: {
    skip: 'İçeriğe geç',
    summary: 'Özet',
    help: 'Yardım',
    terms: 'Koşullar',
    privacy: 'Gizlilik',
    testMode: 'Test modu: gerçek para çekilmez',
  },
  offer: {
    title: 'Abone ol: {planName}',
    dueToday: 'Bugün ödenecek',
    freeTrial: 'Ücretsiz deneme',
    afterTrial: 'Denemeden sonra',
    tax: 'Vergi',
    taxIncluded: 'Dahil olan vergi',
    taxOfDueDate: 'Vergi, her ödemenin vadesinin geldiği günün oranıyla alınır.',
    terms:
      'Abonelik, sen iptal edene kadar {every} {price}{tax, select, added { artı vergi} other {}} ' +
      'karşılığında yenilenir. İstediğin zaman iptal edebilir ve ödenmiş dönemin sonuna kadar ' +
      'kullanmaya devam edebilirsin.',
    termsWithTrial:
      'Deneme süresi ({trial}) bitince abonelik, sen iptal edene kadar {every} ' +
      '{price}{tax, select, added { artı vergi} other {}} tutar. Deneme sırasında iptal edersen hiçbir ' +
      'şey ödemezsin.',
  },
  change: {
    title: 'Plan değişikliği: {planName}',
    methodTitle: 'Başka bir yöntemle öde',
    openPeriod: 'Ödenmemiş dönem',
    newTime: 'Dönemin kalanı için yeni plan',
    unusedTime: 'Şimdiki planın kullanılmayan süresi',
    lostTime: 'Değişiklikle kaybedilen kullanılmamış süre',
    refundedTime: 'İade edilen kullanılmamış süre',
    givenBack: 'Ödemenin yapıldığı karta iade edilir',
    confirm: 'Değişikliği onayla',
    notNow: 'Bu değişiklik şu anda yapılamıyor ve hiçbir ücret alınmadı. Oyuna geri dön.',
    methodChanged: 'Teşekkürler! Aboneliğin bundan sonra bu yöntemle ödenecek.',
  },
  payment: {
    legend: 'Ödeme yöntemi',
    testCards: 'Bunlar test kartlarıdır: gerçek para çekilmez.',
    cardPage:
      'Kart bilgilerini ödeme sağlayıcımız Stripe’ın sayfasında gireceksin. Geri döndüğünde işlem ' +
      'kendiliğinden devam eder.',
    methods: {
      pm_ok: 'Kabul edilen kart',
      pm_decline_insufficient_funds: 'Bakiyesi yetersiz kart',
      pm_renewal_declines: 'Bir kez kabul edilip yenilemede reddedilen kart',
      pm_authentication_required: 'Onay isteyen kart',
      pm_pending: 'Bankası geç yanıt veren kart',
    },
    pay: '{price} öde',
    startTrial: 'Ücretsiz denemeyi başlat',
    declined: 'Ödeme reddedildi ve hiçbir ücret alınmadı. Başka bir kart dene.',
    pauseSeconds: 'Art arda çok fazla ödeme reddedildi: lütfen {seconds, number} sn bekle.',
    unanswered:
      'Bankan henüz yanıt vermedi. Burada bekleyebilir ya da şimdi başka bir yöntemle ödeyebilirsin: ' +
      'ilk ödeme bundan sonra gerçekleşirse kendiliğinden iade edilir.',
    cancel: 'Ödemeden oyuna dön',
  },
  script: {
    asking: 'Bir dakika: bankana soruyoruz.',
    stillAsking: 'Bankan henüz yanıt vermedi. Burada bekle ya da başka bir yöntemle öde.',
    unreachable: 'Bağlantı kurulamadı. Lütfen yeniden dene: yalnızca bir kez ödersin.',
    paused: 'Lütfen bekle. {seconds} sn sonra devam edebilirsin.',
  },
  refusals: {
    AMOUNT_CHANGED: 'Ödenecek tutar değişti ve hiçbir ücret alınmadı. Lütfen yeniden kontrol et.',
    PLAN_ALREADY_HELD:
      'Bu plana ya da onun yerine geçen bir plana zaten sahipsin. Hiçbir ücret alınmadı.',
    PLAN_NOT_AVAILABLE: 'Bu plan artık satılmıyor. Hiçbir ücret alınmadı.',
    TRIAL_ALREADY_TAKEN: 'Bu ücretsiz denemeyi zaten kullandın. Hiçbir ücret alınmadı.',
    other: 'Ödeme başlatılamadı. Lütfen yeniden dene: yalnızca bir kez ödersin.',
  },
  pending: {
    title: 'Ödemen işleniyor',
    text:
      'Bankan henüz yanıt vermedi. Sonuç belli olur olmaz bu sayfada gösterilir. Sayfayı ' +
      'kapatabilirsin: biz devam ederiz ve yalnızca bir kez ödersin.',
  },
  challenged: {
    title: 'Bankan onayını istiyor',
    text:
      'Ödeme, bankanda onayladığında yapılır. Az önce onayladıysan sonuç belli olur olmaz bu sayfada ' +
      'gösterilir. Yalnızca bir kez ödersin.',
    goToBank: 'Bankanda onayla',
    otherWay:
      'Ya da başka bir yöntemle öde: bundan sonra ilk ödemeyi onaylarsan kendiliğinden iade edilir.',
  },
  bank: {
    title: 'Bu ödemeyi sen mi yapıyorsun?',
    ask: '{seller} senden {price} almak istiyor. Yalnızca bu sensen onayla.',
    testBank: 'Bu bir test kartının bankasıdır: gerçek para çekilmez.',
    accept: 'Ödemeyi onayla',
    decline: 'Ödemeyi reddet',
    accepted: 'Bu ödemeyi onayladın.',
    declined: 'Bu ödemeyi reddettin ve hiçbir ücret alınmadı.',
    backToCheckout: 'Ödeme sayfasına dön',
  },
  completed: {
    title: 'Abone oldun: {planName}',
    active: 'Teşekkürler! Aboneliğin etkin.',
    trialBegun: 'Teşekkürler! Ücretsiz denemen başladı: {trial}.',
    whatNow: 'Bu sayfayı kapatıp oyuna dönebilirsin.',
    backToGame: 'Oyuna dön',
  },
  locked: {
    title: 'Bu bağlantı kilitlendi',
    text:
      'Burada çok fazla ödeme reddedildiği için bağlantı güvenlik amacıyla kilitlendi ve hiçbir ücret ' +
      'alınmadı. Oyuna dönüp yeni bir bağlantı iste ya da önce kartını bankana sor.',
  },
  expired: {
    title: 'Bu bağlantının süresi doldu',
    text: 'Hiçbir ücret alınmadı. Oyuna dönüp yeni bir bağlantı iste.',
  },
  missing: {
    title: 'Böyle bir teklif yok',
    text: 'Adres eksik ya da hiç var olmadı. Oyuna dönüp yeniden dene.',
  },
  unavailable: {
    title: 'Bu sayfa şu anda gösterilemiyor',
    text: 'Sayfayı açman için hiçbir ücret alınmadı. Bir dakika sonra yeniden yükle.',
  },
  notConfigured: {
    title: 'Burada henüz ödeme yapılamıyor',
    text: 'Mağaza henüz ödeme alamıyor. Hiçbir ücret alınmadı. Lütfen daha sonra yeniden gel.',
  },
};
