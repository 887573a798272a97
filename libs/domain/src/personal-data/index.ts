export {
  type OpenedPersonalData,
  type PersonalOwner,
  PLAIN,
  type PersonalTexts,
  withoutReference,
} from './personal-texts.js';
export { PERSONAL_DATA_UPCASTERS } from './upcasters.js';
