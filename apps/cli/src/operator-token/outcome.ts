import type { IssueResult } from '#tenancy';
import { CliError } from '../cli-error.js';

type Rejection = Extract<IssueResult, { accepted: false }>['rejection'];

/** The sentence for a person when the ledger refuses to issue or revoke a token. */
export function refusal(rejection: Rejection): CliError {
  switch (rejection.code) {
    case 'app/not_found':
      return new CliError(`There is no app ${rejection.detail}.`);
    case 'operator_token/not_found':
      return new CliError(
        'There is no such token that is valid. A token for one app is named with --app.',
      );
    case 'operator_token/too_many':
      return new CliError('There are too many valid tokens for this. Revoke some first.');
    default:
      return new CliError(`The ledger refused: ${rejection.code}.`);
  }
}
