import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type CommandSource, commandWith } from '#nest';
import { type OpenedSession, ShopSessions } from './shop-sessions.js';
import type { Visitor } from './visitor.js';

/** A player enters by a link from the game, which is used up. */
export class EnterShop extends commandWith<
  { token: string; source: CommandSource },
  OpenedSession
>() {}

@CommandHandler(EnterShop)
export class EnterShopHandler implements ICommandHandler<EnterShop> {
  constructor(private readonly sessions: ShopSessions) {}

  /** @throws ApiError 7 where the link was used, has expired, or is none. */
  execute({ token, source }: EnterShop): Promise<OpenedSession> {
    return this.sessions.open(token, source);
  }
}

/** A player ends the session. */
export class SignOut extends commandWith<{ visitor: Visitor; source: CommandSource }>() {}

@CommandHandler(SignOut)
export class SignOutHandler implements ICommandHandler<SignOut> {
  constructor(private readonly sessions: ShopSessions) {}

  execute({ visitor, source }: SignOut): Promise<void> {
    return this.sessions.end(visitor, source);
  }
}
