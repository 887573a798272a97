/** Injected things that are no class of this app: a library's interface, by name. */
export const GATEWAYS = Symbol('PaymentGateways');
/** The bank's side of the sandbox. */
export const SANDBOX_CHALLENGES = Symbol('SandboxChallenges');
/** How players reach the storefront: the gateway leads them back there. */
export const STOREFRONT_URL = Symbol('address of the storefront');
/** How the addresses are stored where players confirm payments. */
export const CHALLENGE_ADDRESSES = Symbol('ChallengeAddresses');
/** The names of players at studios, and the studios' own texts about them. */
export const PERSONAL_DATA = Symbol('PersonalData');
/** The tokens of the webshop's sessions in browsers. */
export const SHOP_TOKENS = Symbol('ShopTokens');
/** The items that players can buy, by their studios. */
export const CATALOGS = Symbol('CatalogClient');
/** The deliveries of the webhooks of single events. */
export const EVENT_DELIVERIES = Symbol('EventDeliveries');
/** The read models of a player's orders. */
export const READ_MODELS = Symbol('ReadModels');
