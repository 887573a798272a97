/** What may be asked of a data directory without loading the server. */
export { holdsStore } from './data-directory.js';
export { makeDirectory } from './make-directory.js';
