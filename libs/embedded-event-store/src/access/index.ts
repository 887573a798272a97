/** What a secure store and the programs that start it share. */
export { secureConnectionString } from './connection-string.js';
export { openAccess } from './store-access.js';
