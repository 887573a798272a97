/** What both the one who starts a secure store and the store itself must know. */
export { secureConnectionString } from './connection-string.js';
export { openAccess } from './store-access.js';
