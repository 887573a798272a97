export {
  type OpenedPersonalData,
  type PersonalOwner,
  PLAIN,
  type PersonalTexts,
  type StudioNames,
} from './personal-texts.js';
export { PERSONAL_DATA_UPCASTERS } from './upcasters.js';
