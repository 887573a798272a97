export { type Causes, type CausingEvent, findCauses } from './find-causes.js';
export { type Change, findChanges, isMoney, listFields } from './state-changes.js';
export { streamsOfId } from './stream-names.js';
