/**
 * Which operators' tokens are good (decision 0016, rules/operators 1 to 3). A token is good from the
 * event that issued it until it expires or is revoked; there is no other way to be good. One stream
 * holds the tokens of one app, and one more those for several apps or all.
 */
import { laterInstant } from '../calendar/index.js';
import {
  accept,
  type AnyRejection,
  type Decision,
  defineAggregate,
  reject,
  unknownEvent,
} from '../decider/index.js';
import type { DomainEvent, Instant } from '../event/index.js';

/**
 * The rights of operators: an admin may do everything, a manager all but creating apps and issuing tokens, a viewer
 * only look, and finance all that is under an app's `/finance` and nothing else. A token with several roles has the
 * rights of each (rules/operators 2).
 */
export const OPERATOR_ROLES = ['admin', 'manager', 'viewer', 'finance'] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];

/** In a token's list of apps: all that there are and will be. */
export const ALL_APPS = '*';
/** The register of tokens for several apps or all; no app has such an id. */
const SHARED_REGISTER = 'shared';

/** A token without its secret, which is never stored. */
export interface OperatorToken {
  readonly tokenId: string;
  /** The holder of the token: the actor in the events of their calls. */
  readonly name: string;
  readonly roles: readonly OperatorRole[];
  /** Ids of apps, or `*` for all of them. */
  readonly apps: readonly string[];
  /** The actor who issued it, such as `operator:<name>`. */
  readonly issuedBy: string;
  /** Both on the wall clock: tokens do not follow test clocks. */
  readonly issuedAt: Instant;
  readonly expiresAt: Instant;
}

export interface RevokedOperatorToken extends OperatorToken {
  readonly revokedAt: Instant;
}

export type OperatorTokenIssued = DomainEvent<'operator_token.issued.v1', OperatorToken>;
export type OperatorTokenRevoked = DomainEvent<
  'operator_token.revoked.v1',
  { readonly tokenId: string; readonly revokedBy: string; readonly revokedAt: Instant }
>;
export type OperatorTokenEvent = OperatorTokenIssued | OperatorTokenRevoked;

/** The tokens of one register, oldest first. Tokens that have expired fall out of it. */
export interface OperatorTokenRegister {
  readonly live: readonly OperatorToken[];
  /** The last ones, to be looked at; being in `live` alone decides whether a token is good. */
  readonly revoked: readonly RevokedOperatorToken[];
}

export type OperatorTokenCommand =
  | {
      readonly kind: 'IssueOperatorToken';
      readonly token: OperatorToken;
      /** Whether the issuer's former tokens of the same name are revoked with it. */
      readonly replacesFormer?: boolean;
    }
  | {
      readonly kind: 'RevokeOperatorToken';
      readonly tokenId: string;
      readonly revokedBy: string;
      readonly wallNow: Instant;
    };

export interface OperatorTokenRejection extends AnyRejection {
  readonly code: 'operator_token/not_found' | 'operator_token/too_many';
}

/**
 * All good tokens of a register travel in one answer and one memory: more is a misuse. Operators have
 * this many, and so have the programs that hold the master key: a thief who fills a register with a
 * stolen token keeps neither the ledger from its start nor its owner from a new token.
 */
export const MAX_LIVE_TOKENS = 500;
/** Enough to see the latest revocations; the events have all of them. */
export const KEPT_REVOKED_TOKENS = 100;

/** The register that a token for these apps belongs to: its app's own, or the shared one. */
export function chooseRegister(apps: readonly string[]): string {
  const [app, ...others] = apps;
  return app === undefined || app === ALL_APPS || others.length > 0 ? SHARED_REGISTER : app;
}

/** Folds one event of a register; tokens that have expired by then are forgotten. */
export function evolveOperatorTokens(
  state: OperatorTokenRegister,
  event: OperatorTokenEvent,
): OperatorTokenRegister {
  switch (event.type) {
    case 'operator_token.issued.v1': {
      const { live, revoked } = unexpired(state, event.data.issuedAt);
      return { live: [...live, event.data], revoked };
    }
    case 'operator_token.revoked.v1':
      return withoutRevoked(unexpired(state, event.data.revokedAt), event.data);
    default:
      return unknownEvent(state, event);
  }
}

function withoutRevoked(
  { live, revoked }: OperatorTokenRegister,
  { tokenId, revokedAt }: OperatorTokenRevoked['data'],
): OperatorTokenRegister {
  const gone = live
    .filter((token) => token.tokenId === tokenId)
    .map((token) => ({ ...token, revokedAt }));
  return {
    live: live.filter((token) => token.tokenId !== tokenId),
    revoked: [...revoked, ...gone].slice(-KEPT_REVOKED_TOKENS),
  };
}

/** A register without the tokens that have expired. */
export function unexpired(
  { live, revoked }: OperatorTokenRegister,
  now: Instant,
): OperatorTokenRegister {
  const isUnexpired = ({ expiresAt }: OperatorToken) => expiresAt > now;
  return { live: live.filter(isUnexpired), revoked: revoked.filter(isUnexpired) };
}

function decideOperatorTokens(
  command: OperatorTokenCommand,
  state: OperatorTokenRegister,
): Decision<OperatorTokenEvent, OperatorTokenRejection> {
  if (command.kind === 'IssueOperatorToken') return issue(command, state);
  const { tokenId, revokedBy } = command;
  const now = laterInstant(command.wallNow, findLastChange(state));
  const isAsked = (token: OperatorToken) => token.tokenId === tokenId;
  const { live, revoked } = unexpired(state, now);
  if (revoked.some(isAsked)) return accept();
  if (!live.some(isAsked)) return reject('operator_token/not_found');
  return accept(revocation(tokenId, revokedBy, now));
}

function issue(
  { token, replacesFormer = false }: Extract<OperatorTokenCommand, { token: OperatorToken }>,
  state: OperatorTokenRegister,
): Decision<OperatorTokenEvent, OperatorTokenRejection> {
  const issuedAt = laterInstant(token.issuedAt, findLastChange(state));
  const { live } = unexpired(state, issuedAt);
  const isFormer = ({ name, issuedBy }: OperatorToken) =>
    name === token.name && issuedBy === token.issuedBy;
  const replaced = replacesFormer ? live.filter(isFormer) : [];
  const isOfOperator = issuedByOperator(token);
  const rivals = live.filter((other) => issuedByOperator(other) === isOfOperator);
  if (rivals.length - replaced.length >= MAX_LIVE_TOKENS) return reject('operator_token/too_many');
  return accept(...replaced.map(({ tokenId }) => revocation(tokenId, token.issuedBy, issuedAt)), {
    type: 'operator_token.issued.v1',
    data: { ...token, issuedAt },
  } as const);
}

/** The wall clock of another machine may be behind the register's last event (rules/events 3). */
function findLastChange({ live, revoked }: OperatorTokenRegister): Instant {
  const changes = [
    ...live.map(({ issuedAt }) => issuedAt),
    ...revoked.map(({ revokedAt }) => revokedAt),
  ];
  return changes.reduce(laterInstant, '');
}

/** Whether it was asked for with a token, over HTTP; no program's own name has this form. */
function issuedByOperator({ issuedBy }: OperatorToken): boolean {
  return issuedBy.startsWith('operator:');
}

function revocation(tokenId: string, revokedBy: string, revokedAt: Instant): OperatorTokenEvent {
  return { type: 'operator_token.revoked.v1', data: { tokenId, revokedBy, revokedAt } };
}

export const operatorTokensAggregate = defineAggregate('operator_tokens', {
  initialState: { live: [], revoked: [] },
  evolve: evolveOperatorTokens,
  decide: decideOperatorTokens,
});
