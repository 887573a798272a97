import type { Mutant } from './mutant.js';

const STORAGE = 'libs/embedded-event-store/src/storage';
const GRPC = 'libs/embedded-event-store/src/grpc';
const EMBEDDED = 'test/contract/event-store/embedded';

/** Guards of the embedded event store: what is damaged is not unpacked, and what is packed can be read. */
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
    name: 'a message is gathered, however long it says that it is',
    harm: 'A client makes the store hold as much as it likes.',
    file: `${GRPC}/message-reader.ts`,
    guard: 'if (length > MAX_RECEIVE_BYTES) return TOO_LONG;',
    without: '',
    specs: [`${GRPC}/message-reader.spec.ts`],
  },
  {
    name: 'a connection that never says hello is waited for',
    harm: 'A stop takes two minutes.',
    file: `${GRPC}/grpc-server.ts`,
    guard: 'for (const socket of this.#sockets) socket.destroy();',
    without: 'for (const session of this.#sessions) session.destroy();',
    specs: [`${EMBEDDED}/restart.int.spec.ts`],
  },
  {
    name: 'the id of an event of another stream is a repeated one',
    harm: 'An append that is new is answered as one that was written, and is lost.',
    file: 'libs/embedded-event-store/src/append/recent-ids.ts',
    guard: 'if (this.#streams[entry] !== stream) return false;',
    without: '',
    specs: ['libs/embedded-event-store/src/append/recent-ids.spec.ts'],
  },
  {
    name: 'metadata on their way to the disk are forgotten',
    harm: 'Two appends get the same revision of a metastream.',
    file: 'libs/embedded-event-store/src/append/stream-heads.ts',
    guard: 'while (kept.describes) kept = kept.describes;',
    without: '',
    specs: ['libs/embedded-event-store/src/append/stream-heads.spec.ts'],
  },
  {
    name: 'the length of content is believed',
    harm: 'A record asks for more memory than any event takes.',
    file: `${STORAGE}/content.ts`,
    guard: 'if (length > MAX_PACKED_CONTENT_BYTES) {',
    without: 'if (false) {',
    specs: [`${STORAGE}/record.spec.ts`],
  },
  {
    name: 'a restored ledger takes the number of a layout that was lost',
    harm: 'What Redis remembers of the lost time is taken for what comes after the restore.',
    file: 'libs/event-store/src/streams/namespace-history.ts',
    guard: '`r${mark}`',
    without: "''",
    specs: ['test/integration/event-store/read.int.spec.ts'],
  },
  {
    name: 'a backup can be started',
    harm: 'A store runs that does not say that it was restored.',
    file: 'libs/embedded-event-store/src/start-event-store.ts',
    guard: 'if (isBackup(dataDir)) {',
    without: 'if (false) {',
    specs: [`${EMBEDDED}/backup.int.spec.ts`],
  },
  {
    name: 'an append that is cut is taken for a whole one',
    harm: 'A client that is killed while it sends leaves the first of its events behind.',
    file: 'libs/embedded-event-store/src/grpc/call.ts',
    guard: `      this.#close();
      // A paused one would else stay until its connection ends.`,
    without: '',
    specs: [
      'libs/embedded-event-store/src/grpc/call.spec.ts',
      'test/contract/event-store/embedded/cut-calls.int.spec.ts',
    ],
  },
];
