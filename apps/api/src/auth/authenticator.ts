import { timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { decodeJwt } from 'jose';
import type { CreatedApp } from '#domain/app';
import { APP_DIRECTORY, type Caller, CLOCK } from '#nest';
import type { Clock } from '#platform';
import {
  type AccessTokens,
  type AppDirectory,
  appIdOfApiKey,
  type AppSecrets,
  type OperatorTokens,
} from '#tenancy';
import { ACCESS_TOKENS, APP_SECRETS, OPERATOR_TOKENS } from '../tokens.js';
import { SecretPolls } from './secret-polls.js';
import { isSignedBy, isTimely, parseSignature, type Signature } from './signature.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The signature in the head of a request; set before the body is read, which then has to fit it. */
    signature?: Signature;
  }
}

/** Why credentials were refused; the texts are safe to show. */
export interface Refusal {
  readonly refused: string;
}

type Identified = Caller | Refusal;

/** Identifies the caller by the credentials that a request carries (rules/api 11). */
@Injectable()
export class Authenticator {
  private readonly secretPolls = new SecretPolls();

  constructor(
    @Inject(APP_DIRECTORY) private readonly apps: AppDirectory,
    @Inject(APP_SECRETS) private readonly secrets: AppSecrets,
    @Inject(ACCESS_TOKENS) private readonly accessTokens: AccessTokens,
    @Inject(OPERATOR_TOKENS) private readonly operatorTokens: OperatorTokens,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Answers at once where memory knows the caller, and in time where the store has to be asked.
   *
   * @returns the caller, or why there is none. @throws Fault when the store is needed and out of reach.
   */
  identify(request: FastifyRequest): Identified | Promise<Identified> {
    const { authorization } = request.headers;
    const signature = request.headers['x-service-hmac-signature'];
    const apiKey = request.headers['x-service-api-key'];
    if (typeof signature === 'string') {
      const read = request.signature ?? this.readSignature(signature);
      return 'refused' in read ? read : this.bySignature(read, request.rawBody);
    }
    if (authorization !== undefined) {
      return this.byBearer(authorization, readAppId(request));
    }
    if (typeof apiKey === 'string') return this.byApiKey(apiKey);
    return { refused: 'Credentials are missing.' };
  }

  /** The signature in a header, or why it is refused whatever the body is. */
  readSignature(value: string): Signature | Refusal {
    const signature = parseSignature(value);
    if (signature === undefined) return { refused: 'The signature header is malformed.' };
    return isTimely(signature, Date.parse(this.clock.now()))
      ? signature
      : { refused: 'The timestamp is over 5 minutes off.' };
  }

  private bySignature(
    signature: Signature,
    body: Buffer | undefined,
  ): Identified | Promise<Identified> {
    const { appId } = signature;
    const wallNow = this.clock.now();
    const isSignedFor = (app: CreatedApp | undefined) =>
      app !== undefined && isSignedBy(this.secrets.ingressKeys(app, wallNow), signature, body);
    const recalled = this.apps.recall(appId);
    const isFoundSigned = async (): Promise<boolean> => {
      const known = recalled ?? (await this.apps.find(appId));
      if (known === undefined) return false;
      // A body that was compared already is not compared again: it may be long.
      if (recalled === undefined && isSignedFor(known)) return true;
      return this.secretPolls.take(appId) && isSignedFor(await this.apps.findFresh(appId));
    };
    if (isSignedFor(recalled)) return { kind: 'app', appId };
    return isFoundSigned().then((isSigned) =>
      isSigned ? { kind: 'app', appId } : WRONG_SIGNATURE,
    );
  }

  private byBearer(
    authorization: string,
    appId: string | undefined,
  ): Identified | Promise<Identified> {
    const token = /^Bearer +([\w.~+/=-]+)$/i.exec(authorization)?.[1];
    if (token === undefined) return { refused: 'The Authorization header is malformed.' };
    // A verified player's token is no operator's, and need not be decoded again.
    const recalled = this.accessTokens.recall(token, appId);
    return recalled === undefined ? this.byToken(token, appId) : { kind: 'player', ...recalled };
  }

  private async byToken(token: string, appId: string | undefined): Promise<Identified> {
    if (isForOperators(token)) {
      const operator = await this.operatorTokens.verify(token);
      return operator === undefined ? WRONG_TOKEN : { kind: 'operator', operator };
    }
    const player = await this.accessTokens.verify(token, appId);
    return player === undefined ? WRONG_TOKEN : { kind: 'player', ...player };
  }

  private async byApiKey(apiKey: string): Promise<Identified> {
    const appId = appIdOfApiKey(apiKey);
    const app = appId === undefined ? undefined : await this.apps.find(appId);
    if (app === undefined) return WRONG_KEY;
    const expected = Buffer.from(this.secrets.apiKey(app));
    const given = Buffer.from(apiKey);
    const isEqual = expected.length === given.length && timingSafeEqual(expected, given);
    return isEqual ? { kind: 'apiKey', appId: app.appId } : WRONG_KEY;
  }
}

const WRONG_SIGNATURE: Refusal = { refused: 'The signature does not match.' };
const WRONG_TOKEN: Refusal = { refused: 'The token is not valid, or has expired.' };
const WRONG_KEY: Refusal = { refused: 'The API key is not valid.' };

/** The app that a request names, for tokens of issuers that do not (rules/api 11). */
function readAppId({ headers }: FastifyRequest): string | undefined {
  const named = headers['x-app-id'];
  // Node.js joins repeated headers: the joined text is the id of no app.
  return typeof named === 'string' ? named : undefined;
}

/** The kind that an unverified token claims; it is verified as that kind and as no other. */
function isForOperators(token: string): boolean {
  try {
    return decodeJwt(token).aud === 'subledger-operator';
  } catch {
    return false;
  }
}
