import type { Mutant } from './mutant.js';

const STORAGE = 'libs/embedded-event-store/src/storage';
const EMBEDDED = 'test/contract/event-store/embedded';

/** Guards of the embedded event store: what is damaged is not unpacked. */
export const EVENT_STORE_MUTANTS: readonly Mutant[] = [
  {
    name: 'content is unpacked before its checksum is looked at',
    harm: 'What is damaged is unpacked, and told as something else.',
    file: `${STORAGE}/log-store.ts`,
    guard: '    if (isRecordWhole(record, position)) return record;\n',
    without:
      '    this.content({ position, record });\n    if (isRecordWhole(record, position)) return record;\n',
    specs: [`${EMBEDDED}/damage.int.spec.ts`],
  },
  {
    name: 'the length of content is believed',
    harm: 'A record asks for more memory than any event takes.',
    file: `${STORAGE}/content.ts`,
    guard: 'if (length > MAX_PACKED_CONTENT_BYTES) {',
    without: 'if (false) {',
    specs: [`${STORAGE}/record.spec.ts`],
  },
];
