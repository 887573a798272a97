export {
  ledgerUpgradeAggregate,
  type LedgerUpgradeCommand,
  type LedgerUpgradeEvent,
} from './ledger-upgrade.js';
