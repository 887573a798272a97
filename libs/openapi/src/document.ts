/** Makes the OpenAPI document of a program, of its controllers and of the parts beside them. */
export type { Example, Examples } from './examples.js';
export { type DocumentSources, prepareDocument } from './prepare-document.js';
export { type Reason, REFUSED_EVERYWHERE } from './reasons.js';
