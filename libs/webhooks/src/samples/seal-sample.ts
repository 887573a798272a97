/** A checkpoint of a log of four events that does not exist. */
const NOTE =
  'ledger.example/ledger/1\n4\nkd65n1cI0mQDuKJL9ZWmemGf0nRNSZCuyI6qHzI6aTw=\n\n' +
  '— ledger.example/ledger/1 y53XE/HySl8HNCTCGEl8n9hu0AkYcP9pNOh2wb/0U3Z+oCUZ2jtsexOLrQIwBNHBbVheIEJAyvVsAybxyHKKXaQH3gs=\n';

/** The data of `ledger.sealed`, with the fields in the order of real ones; its proof is right. */
export const SEAL_SAMPLE = {
  size: 4,
  note: NOTE,
  previous_size: 3,
  hashes: [
    '4pEsR8AbIpasDZypH0n+qJbIeTydfmUE7Y1whVFbNnk=',
    's8GXRDr9Ct9uu+0CGoJuEeDNvEszVaxHY+6LDzRJoNg=',
    'vWthQF+yNN2F2kl8d94+RlVqeJCcyL0tdzBj52GZgE8=',
  ],
};
