export { ledgerUpgradeAggregate, type LedgerUpgradeEvent } from './ledger-upgrade.js';
