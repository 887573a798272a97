import { Inject, Injectable } from '@nestjs/common';
import { nameRegistration, playerAggregate } from '#domain/player';
import {
  canBeOpened,
  findSession,
  isOpen,
  type ShopSession,
  shopSessionAggregate,
} from '#domain/shop-session';
import { CLOCK, CommandContexts, type CommandSource, Ledger, rejected } from '#nest';
import type { Clock } from '#platform';
import type { PersonalData, ShopSessionReference, ShopTokens } from '#tenancy';
import { PERSONAL_DATA, SHOP_TOKENS } from '../../tokens.js';
import { choosePageBrand, type PageBrand } from '../../brand/page-brand.js';
import { chooseRegion, type PlayerOrigin } from '../../origin/player-origin.js';
import { PlayerStates, type StateLoader } from '../player-states.js';
import type { Visitor } from './visitor.js';

/** A browser's token is verified without a look; whether it still counts, the store says (rules/webshop 1). */
@Injectable()
export class ShopSessions {
  constructor(
    private readonly ledger: Ledger,
    private readonly states: PlayerStates,
    private readonly contexts: CommandContexts,
    @Inject(SHOP_TOKENS) private readonly tokens: ShopTokens,
    @Inject(PERSONAL_DATA) private readonly personalData: Pick<PersonalData, 'accountId'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * The player of a session; undefined where it is over, or the player was erased, in whichever process that was done.
   *
   * @param origin of the request, where the link into the shop named no region. @throws Fault of the store.
   */
  async find(
    cookie: string | undefined,
    origin: PlayerOrigin | undefined,
  ): Promise<FoundVisitor | undefined> {
    const reference = cookie === undefined ? undefined : this.tokens.readCookie(cookie);
    if (reference === undefined) return undefined;
    const states = await this.states.asOfNow();
    const { session, registration } = await this.look(reference, states);
    if (session === undefined || registration !== session.registration) return undefined;
    if (!isOpen(session, this.clock.now())) return undefined;
    const { appId, player, sessionId, language, personal } = session;
    const app = await this.contexts.requireApp(appId);
    const visitor = {
      ...{ appId, player, sessionId, language, personal },
      regionCode: chooseRegion(session.regionCode, origin, app),
      accountId: await this.personalData.accountId(session),
      csrf: this.tokens.createCsrfToken(reference),
    };
    return { visitor, states, brand: choosePageBrand(app) };
  }

  /** A link that can be used; the look itself uses nothing up. @throws ApiError 7 for a link that opens nothing. */
  async findLink(token: string): Promise<ShopSession> {
    const { session, registration } = await this.look(this.readLink(token), this.ledger);
    const opens = canBeOpened(session, registration, this.clock.now());
    if (session === undefined || !opens) throw linkNotValid();
    return session;
  }

  /** Uses a link. @throws ApiError 7 for a link that opens nothing. */
  async open(token: string, source: CommandSource): Promise<OpenedSession> {
    const reference = this.readLink(token);
    const { player, sessionId } = reference;
    const { session, registration } = await this.look(reference, this.ledger);
    if (session === undefined) throw linkNotValid();
    const context = await this.contexts.withoutIdempotency(source, session.appId);
    const { now } = context;
    await this.ledger.execute(
      shopSessionAggregate,
      player,
      { kind: 'OpenSession', sessionId, registration, now, wallNow: this.clock.now() },
      { ...context, player },
    );
    const csrf = this.tokens.createCsrfToken(reference);
    return { cookie: this.tokens.createCookie(reference), csrf };
  }

  /** Ends a session, once. @throws Fault of the store. */
  async end({ appId, player, sessionId }: Visitor, source: CommandSource): Promise<void> {
    const context = await this.contexts.withoutIdempotency(source, appId);
    const command = { kind: 'EndSession', sessionId, now: context.now } as const;
    const about = { ...context, player };
    await this.ledger.execute(shopSessionAggregate, player, command, about);
  }

  private readLink(token: string): ShopSessionReference {
    const reference = this.tokens.readLinkToken(token);
    if (reference === undefined) throw linkNotValid();
    return reference;
  }

  /** As the store has it now: a session that was ended elsewhere is over here as well. */
  private async look(
    { player, sessionId }: ShopSessionReference,
    states: StateLoader,
  ): Promise<Looked> {
    const [{ state }, { state: owner }] = await Promise.all([
      states.load(shopSessionAggregate, player),
      states.load(playerAggregate, player),
    ]);
    const registration = owner.status === 'registered' ? nameRegistration(owner) : null;
    return { session: findSession(state, sessionId), registration };
  }
}

/** A player with a session, and the loader of the player's states as of the request. */
export interface FoundVisitor {
  readonly visitor: Visitor;
  readonly states: StateLoader;
  /** Of whom the shop is. */
  readonly brand: PageBrand;
}

/** A session that has just begun. */
export interface OpenedSession {
  readonly cookie: string;
  /** The forms of the session carry it. */
  readonly csrf: string;
}

interface Looked {
  readonly session: ShopSession | undefined;
  readonly registration: string | null;
}

function linkNotValid() {
  return rejected({ code: 'shop_session/link_not_valid' });
}
