export {
  type OpenedPersonalData,
  type PersonalOwner,
  type PersonalTexts,
  type StudioNames,
} from './personal-texts.js';
