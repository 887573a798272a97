import { type SealNoticeEvent, sealWitnessesAggregate } from '#domain/seal';
import { play } from '../../support/play.js';

/** The tree of `makeLines(4)` in support/seal/bundle.ts, and the proof that it grew from that of 3. */
const NOTE =
  'ledger.example/ledger/1\n4\nkd65n1cI0mQDuKJL9ZWmemGf0nRNSZCuyI6qHzI6aTw=\n\n' +
  '— ledger.example/ledger/1 y53XE/HySl8HNCTCGEl8n9hu0AkYcP9pNOh2wb/0U3Z+oCUZ2jtsexOLrQIwBNHBbVheIEJAyvVsAybxyHKKXaQH3gs=\n';
const HASHES = [
  '4pEsR8AbIpasDZypH0n+qJbIeTydfmUE7Y1whVFbNnk=',
  's8GXRDr9Ct9uu+0CGoJuEeDNvEszVaxHY+6LDzRJoNg=',
  'vWthQF+yNN2F2kl8d94+RlVqeJCcyL0tdzBj52GZgE8=',
];

/** Apps that witness the ledger, and the notice of a checkpoint. */
export const sealWitnesses = play(sealWitnessesAggregate.decider, {
  kind: 'ListSealWitness',
  appId: 'app_01gold',
});

export const sealNotices = {
  events: [
    {
      type: 'seal_notice.recorded.v1',
      data: {
        size: 4,
        note: NOTE,
        previousSize: 3,
        hashes: HASHES,
      },
    } satisfies SealNoticeEvent,
  ],
};
