import type { Mutant } from './mutant.js';

const PLAYERS = 'apps/cli/src/players';
const ERASURE = ['test/integration/tenancy/player-erasure.int.spec.ts'];

/** Guards of what is sealed, and of the keys that it is under. */
export const PERSONAL_DATA_MUTANTS: readonly Mutant[] = [
  {
    name: 'two rotations may change the file of master keys at once',
    harm: 'A key is lost, with all that was sealed under it.',
    file: 'apps/cli/src/master-key/key-file.ts',
    guard: "return await open(temporary, 'wx', OWNER_ONLY);",
    without: "return await open(temporary, 'w', OWNER_ONLY);",
    specs: ['apps/cli/src/master-key/key-file.spec.ts'],
  },
  {
    name: 'a secret that was rotated meanwhile is replaced by the one before',
    harm: 'An app signs with a secret that the ledger does not have any more.',
    file: 'libs/domain/src/app/app.decide.ts',
    guard: 'const renew = (sealed: string) => resealed.get(sealed) ?? sealed;',
    without:
      'const renew = (sealed: string) => resealed.get(sealed) ?? [...resealed.values()][0] ?? sealed;',
    specs: ['libs/domain/src/app/app.spec.ts'],
  },
  {
    name: 'a text under a key that is not known yet is not looked for anew',
    harm: 'Requests fail for a second when a rotation begins.',
    file: 'libs/platform/src/seal.ts',
    guard: 'this.keys.refresh();',
    without: '',
    specs: ['libs/platform/src/seal.spec.ts'],
  },
  {
    name: 'a sealed text of a player opens for another one',
    harm: 'Who can write to the store shows one player what is of another.',
    file: 'libs/tenancy/src/player-key.ts',
    guard: 'return [VERSION, this.appId, this.player, field];',
    without: 'return [VERSION, this.appId, field];',
    specs: ['test/contract/personal-data.spec.ts'],
  },
  {
    name: 'a player who came back is given what stood under the key before',
    harm: 'A request fails for good on what was erased.',
    file: 'libs/tenancy/src/player-key.ts',
    guard: 'if (version === VERSION && keyId !== this.#id) return undefined;',
    without: 'if (version === VERSION && keyId === undefined) return undefined;',
    specs: ['test/contract/personal-data.spec.ts'],
  },
  {
    name: 'a message is sent although its player was erased',
    harm: 'What was erased is sent out all the same.',
    file: 'apps/worker/src/delivery/delivery-handler.ts',
    guard: 'if (body === undefined) {',
    without: 'if (body === null) {',
    specs: ['apps/worker/src/delivery/delivery-handler.spec.ts'],
  },
  {
    name: 'the key of an erased player is not cut off',
    harm: 'Who has the master key opens all that was erased.',
    file: `${PLAYERS}/player-erasure.ts`,
    guard: 'await store.truncations.truncate(playerStream(player), erasure.revision);',
    without: '',
    specs: ERASURE,
  },
  {
    name: 'a scavenge that began before a truncation counts',
    harm: 'A player passes for erased whose key is on the disk.',
    file: `${PLAYERS}/erasures.ts`,
    guard: 'startedPosition > cut.position',
    without: 'startedPosition !== cut.position',
    specs: ERASURE,
  },
  {
    name: 'what goes on from an old purchase of an erased player gives the player a key',
    harm: 'A player who was erased is known again, though the player did not come back.',
    file: 'libs/tenancy/src/personal-data.ts',
    guard: "if (state.status === 'erased') return {};",
    without: '',
    specs: ['test/contract/personal-data.spec.ts'],
  },
  {
    name: 'a purchase whose player is not there passes for one of an erased player',
    harm: 'Webhooks say for good that a player is erased who is not.',
    file: 'libs/tenancy/src/known-players.ts',
    guard: "if (state.status === 'none' && !mayBeUnknown) throw withoutStream(player);",
    without: '',
    specs: ['test/contract/personal-data.spec.ts'],
  },
  {
    name: 'a webhook that does not open parks its stream',
    harm: 'A subscription is charged no more, since a text of it was damaged.',
    file: 'apps/worker/src/delivery/message-planner.ts',
    guard: 'if (!isUnopenable(error)) throw error;',
    without: 'if (error !== undefined) throw error;',
    specs: ['apps/worker/src/delivery/message-planner.spec.ts'],
  },
  {
    name: 'a link of an erased player is paid',
    harm: 'A subscription begins of which no one can say whose it is.',
    file: 'libs/domain/src/checkout-link/checkout-link.decide.ts',
    guard: 'if (command.playerIsErased) return',
    without: 'if (command.playerIsErased === null) return',
    specs: ['libs/domain/src/checkout-link/checkout-link.spec.ts'],
  },
  {
    name: 'a player with open purchases is erased',
    harm: 'A subscription goes on that is charged and belongs to no one.',
    file: `${PLAYERS}/player-erasure.ts`,
    guard: 'if (open.length === 0) return;',
    without: 'if (open.length >= 0) return;',
    specs: ERASURE,
  },
];
