import type { Messages } from '../message-types.js';
import type { SHOP_TEXTS } from '../shop-texts.js';

export const shop: Messages<typeof SHOP_TEXTS> = {
  order: {
    title: 'طلبك',
    number: 'الطلب {orderId}',
    items: 'العناصر',
    quantity: 'الكمية',
    each: '{price} للقطعة',
    subtotal: 'المجموع الفرعي',
    total: 'الإجمالي',
    free: 'مجاني',
    terms: 'تدفع مرة واحدة ولا يتجدد شيء.',
    emailOptIn: 'أرسلوا إليّ الأخبار والعروض عبر البريد الإلكتروني',
    claim: 'استلام',
    cancel: 'إلغاء',
    paid: { title: 'شكرًا!', text: 'تم دفع طلبك. عناصرك بانتظارك في اللعبة.' },
    claimed: { title: 'أصبح لك!', text: 'عناصرك بانتظارك في اللعبة.' },
    canceled: { title: 'أُلغي طلبك', text: 'لم يُخصم أي مبلغ.' },
    expired: {
      title: 'انتهت صلاحية هذا الطلب',
      text: 'لم يُخصم أي مبلغ. عد إلى اللعبة واطلب مرة أخرى.',
    },
    refunded: {
      title: 'أُعيد مبلغ طلبك',
      text: 'المال في طريقه إليك. قد يستغرق مصرفك بضعة أيام.',
    },
    states: {
      OPEN: 'لم يُدفع بعد',
      PAID: 'مدفوع',
      FAILED: 'فشل',
      CANCELED: 'ملغى',
      PARTIALLY_REFUNDED: 'أُعيد جزء منه',
      REFUNDED: 'أُعيد مبلغه',
      DISPUTED: 'محل نزاع',
    },
  },
  shop: {
    title: 'المتجر',
    cart: 'السلة',
    cartOf:
      '{count, plural, zero {السلة، لا عناصر} one {السلة، عنصر واحد} two {السلة، عنصران} ' +
      'few {السلة، # عناصر} many {السلة، # عنصرًا} other {السلة، # عنصر}}',
    orders: 'الطلبات',
    back: 'العودة إلى المتجر',
    addToCart: 'أضف إلى السلة',
    buyNow: 'اشترِ الآن',
    claim: 'استلام',
    claimed: 'تم الاستلام',
    quantity: 'الكمية',
    update: 'تحديث',
    remove: 'إزالة',
    checkout: 'إتمام الشراء',
    pay: 'ادفع',
    signOut: 'تسجيل الخروج',
    tryAgain: 'حاول مرة أخرى',
    details: 'التفاصيل',
    left: 'يمكنك شراء {count, number} بعد',
    expires: 'حتى {time}',
    limitReached: 'لقد اشتريت الحد الأقصى المتاح لك.',
    empty: 'لا شيء معروض للبيع هنا الآن. يُرجى العودة لاحقًا.',
    added: 'أُضيف إلى سلتك.',
    itemClaimed: 'أصبح لك! ستجده في اللعبة.',
  },
  cart: {
    title: 'سلتك',
    empty: 'سلتك فارغة.',
    taxLater: 'إذا أُضيفت ضريبة فستظهر قبل الدفع.',
    changed: 'تغيّرت سلتك. يُرجى مراجعتها مرة أخرى.',
    problems: {
      PRICE_CHANGED: 'تغيّر السعر.',
      GONE: 'لم يعد هذا متاحًا.',
      EXPIRED: 'انتهى هذا العرض.',
      QUANTITY: 'هذا أكثر مما يمكنك شراؤه.',
    },
  },
  shopRefusals: {
    AMOUNT_EXCEEDED: 'هذا أكثر مما يمكن دفعه دفعة واحدة.',
    CURRENCY_MISMATCH: 'تقبل السلة عملة واحدة فقط. أتمم الشراء أولًا أو أفرغها.',
    QUANTITY_EXCEEDED: 'هذا أكثر مما يمكنك شراؤه.',
    ITEM_UNAVAILABLE: 'لم يعد هذا متاحًا.',
    CART_CHANGED: 'تغيّرت سلتك. يُرجى مراجعتها مرة أخرى.',
    CART_EMPTY: 'سلتك فارغة.',
    TOO_MANY_REQUESTS: 'طلبات كثيرة دفعة واحدة. يُرجى المحاولة بعد قليل.',
    MILESTONE_LOCKED: 'لم تبلغ هذه المكافأة بعد.',
    other: 'لم ينجح ذلك ولم يتغير شيء. يُرجى المحاولة مرة أخرى.',
  },
  orders: {
    title: 'طلباتك',
    empty: 'ليست لديك طلبات بعد.',
    date: 'التاريخ',
    state: 'الحالة',
    more: 'طلبات أقدم',
  },
  catalogFailed: {
    title: 'لا يمكن عرض المتجر الآن',
    text: 'لم نحصل على المعروض للبيع. لم يُخصم أي مبلغ. يُرجى المحاولة مرة أخرى.',
    reference: 'إذا استمر ذلك فأخبر دعم اللعبة بهذا الرقم المرجعي: {reference}',
  },
  entrance: {
    title: 'مرحبًا بك في المتجر',
    text: 'يُفتح المتجر فورًا. إن لم يُفتح فاضغط على الزر.',
    enter: 'افتح المتجر',
  },
  noSession: {
    title: 'افتح المتجر من اللعبة',
    text: 'لم تسجل الدخول. اذهب إلى اللعبة وافتح المتجر منها.',
  },
  signedOut: { title: 'تم تسجيل خروجك', text: 'للعودة، افتح المتجر من اللعبة.' },
  linkSpent: {
    title: 'لم يعد هذا الرابط يعمل',
    text: 'لقد استُخدم من قبل أو أصبح قديمًا. افتح المتجر من اللعبة مرة أخرى.',
  },
  formRefused: {
    title: 'هذه الصفحة قديمة',
    text: 'لم يتغير شيء. أعد تحميل الصفحة وكرر ما فعلته.',
  },
  missingItem: {
    title: 'لا يوجد عنصر كهذا',
    text: 'ربما لم يعد موجودًا. عد إلى المتجر وانظر ما فيه.',
  },
  loyalty: {
    title: 'المكافآت',
    points:
      '{points, plural, zero {لا نقاط} one {نقطة واحدة} two {نقطتان} few {# نقاط} many {# نقطة} ' +
      'other {# نقطة}}',
    milestone:
      '{points, plural, zero {عند # نقطة} one {عند نقطة واحدة} two {عند نقطتين} few {عند # نقاط} ' +
      'many {عند # نقطة} other {عند # نقطة}}',
    missing:
      '{points, plural, zero {لم يبق شيء للمكافأة التالية} one {بقيت نقطة واحدة للمكافأة التالية} ' +
      'two {بقيت نقطتان للمكافأة التالية} few {بقيت # نقاط للمكافأة التالية} ' +
      'many {بقيت # نقطة للمكافأة التالية} other {بقيت # نقطة للمكافأة التالية}}',
    allReached: 'لقد بلغت كل المكافآت.',
    reward: '{quantity} × {item}',
    states: { locked: 'مقفلة', open: 'جاهزة للاستلام', claimed: 'مستلمة' },
    claimed: 'المكافأة لك! ستجدها في اللعبة.',
  },
};
