import type { Mutant } from './mutant.js';

const EXECUTION = 'libs/event-store/src/command-execution.ts';
const ENGINE = 'libs/projection-engine/src';
const LOOK = 'apps/api/src/commands/stream-documents';
const SPECS = ['libs/event-store/src/stream-document.spec.ts'];

/** Guards of commands that begin with a document: by that an append is decided, and nothing else (decision 0151). */
export const STREAM_DOCUMENT_MUTANTS: readonly Mutant[] = [
  {
    name: 'a key that a document has is free',
    harm: 'What was asked for twice with one key is done twice.',
    file: EXECUTION,
    guard: 'unread?.mayHold(context.commandId) === true',
    without: 'false',
    specs: SPECS,
  },
  {
    name: 'a document is as good as what was read',
    harm: 'A caller is refused by what a late or wrong document says.',
    file: 'libs/event-store/src/command-executor.ts',
    guard: ' && known.unread === undefined;',
    without: ';',
    specs: SPECS,
  },
  {
    name: 'a key is recorded on what a document says',
    harm: 'A command that would change the stream is answered, for good, as one that changed nothing.',
    file: EXECUTION,
    guard: '    if (unread !== undefined) return this.#readAll();\n',
    without: '',
    specs: SPECS,
  },
  {
    name: 'memory forgets that it began with a document',
    harm: 'A key of before is done once more by a process that has gone on from a document.',
    file: EXECUTION,
    guard: 'recordedCommands, unread };',
    without: 'recordedCommands, unread: undefined };',
    specs: SPECS,
  },
  {
    name: 'a document beyond its bound has the first keys alone',
    harm: 'A later key is done twice.',
    file: `${ENGINE}/noted-commands.ts`,
    guard: ': ANY;',
    without: ': fingerprints;',
    specs: [`${ENGINE}/noted-commands.spec.ts`],
  },
  {
    name: 'each command waits for a Redis that stands still',
    harm: 'Commands are as slow as Redis is late.',
    file: `${LOOK}.ts`,
    guard: '    if (performance.now() < lookAgainAtMs) return undefined;\n',
    without: '',
    specs: [`${LOOK}.spec.ts`],
  },
];
