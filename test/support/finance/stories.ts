export { makeJournalRows } from '../../../libs/finance/src/spec-support/journal-story.js';
export {
  listExpected,
  writeWhole,
} from '../../../libs/finance/src/journals/spec-support/written-journal.js';
