/** The shared part of a secure store and the programs that start it. */
export { openAccess, secureConnectionString } from './store-access.js';
