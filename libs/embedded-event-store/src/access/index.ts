/** The shared part of a secure store and the programs that start it. */
export { secureConnectionString } from './connection-string.js';
export { openAccess } from './store-access.js';
