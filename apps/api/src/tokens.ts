/** Injected things that are no class of the API's: the libraries' interfaces, by name. */
export const ACCESS_TOKENS = Symbol('AccessTokens');
export const APP_SECRETS = Symbol('AppSecrets');
export const CONFIG = Symbol('ApiConfig');
export const GATEWAYS = Symbol('PaymentGateways');
export const LEDGER_IDENTITY = Symbol('NamespaceIdentity');
export const NOTICE_READERS = Symbol('NoticeReaders');
export const OPERATOR_TOKENS = Symbol('OperatorTokens');
export const PAGE_TOKENS = Symbol('PageTokens');
export const PERSONAL_DATA = Symbol('PersonalData');
export const PRICE_BOOKS = Symbol('PriceBooks');
/** Throws when the ledger is no longer the one that this process began with. */
export const REQUIRE_SAME_LEDGER = Symbol('RequireSameLedger');
/** Of the workers' data. */
export const REDIS = Symbol('Redis');
export const READ_MODELS = Symbol('ReadModels');
export const SANDBOX_NOTICES = Symbol('SandboxNotices');
/** The tokens of the webshop's sessions in browsers. */
export const SHOP_TOKENS = Symbol('ShopTokens');
