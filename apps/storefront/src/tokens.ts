/** What Nest injects that is no class of this app: a library's interface, by name. */
export const GATEWAYS = Symbol('PaymentGateways');
/** The bank's side of the sandbox. */
export const SANDBOX_CHALLENGES = Symbol('SandboxChallenges');
/** How players reach the storefront: the gateway leads them back there. */
export const STOREFRONT_URL = Symbol('address of the storefront');
/** How the addresses are stored where players confirm payments. */
export const CHALLENGE_ADDRESSES = Symbol('ChallengeAddresses');
/** What players are to studios, and the studios' own texts about them. */
export const PERSONAL_DATA = Symbol('PersonalData');
/** What browsers hold of the webshop's sessions. */
export const SHOP_TOKENS = Symbol('ShopTokens');
/** What players can buy, as their studios say. */
export const CATALOGS = Symbol('CatalogClient');
/** What became of the webhooks of single events. */
export const EVENT_DELIVERIES = Symbol('EventDeliveries');
/** What can be looked up of a player's orders. */
export const READ_MODELS = Symbol('ReadModels');
