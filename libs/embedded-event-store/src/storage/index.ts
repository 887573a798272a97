/** Questions about a data directory that need no server. */
export { holdsStore } from './data-directory.js';
export { makeDirectory } from './make-directory.js';
