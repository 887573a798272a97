export {
  SEAL_NOTICE_CATEGORY,
  type SealNoticeEvent,
  type SealNoticeRecorded,
} from './seal-notice.events.js';
export {
  SEAL_WITNESSES_ID,
  sealWitnessesAggregate,
  type SealWitnessesEvent,
} from './seal-witnesses.js';
