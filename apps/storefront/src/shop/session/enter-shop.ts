import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandSource } from '#nest';
import { ShopSessions } from './shop-sessions.js';

/** A player comes by a link from the game. The result is the cookie of the session. */
export class EnterShop extends Command<string> {
  constructor(
    readonly token: string,
    readonly source: CommandSource,
  ) {
    super();
  }
}

@CommandHandler(EnterShop)
export class EnterShopHandler implements ICommandHandler<EnterShop> {
  constructor(private readonly sessions: ShopSessions) {}

  /** @throws ApiError 7 where the link was used, has expired, or is none. */
  execute({ token, source }: EnterShop): Promise<string> {
    return this.sessions.open(token, source);
  }
}
