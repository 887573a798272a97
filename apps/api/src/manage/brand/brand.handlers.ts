import {
  CommandHandler,
  type ICommandHandler,
  type IQueryHandler,
  QueryHandler,
} from '@nestjs/cqrs';
import { appAggregate, type Brand, type CreatedApp } from '#domain/app';
import { answer, type CommandContext, CommandContexts, commandWith, queryWith } from '#nest';
import { assertDefect } from '#platform';
import { FollowedLedger } from '../followed-ledger.js';
import type { BrandDto } from './brand.dto.js';

/** The shown brand; of an app without a brand, its own name. */
function renderBrand({ brand, name }: Pick<CreatedApp, 'brand' | 'name'>): BrandDto {
  return { ...(brand ?? { name }) };
}

/** Says how the game presents itself on pages for players, as a whole (rules/storefront 8). */
export class SetBrand extends commandWith<
  { brand: BrandDto; context: CommandContext },
  BrandDto
>() {}

@CommandHandler(SetBrand)
export class SetBrandHandler implements ICommandHandler<SetBrand> {
  constructor(private readonly ledger: FollowedLedger) {}

  async execute({ brand, context }: SetBrand): Promise<BrandDto> {
    const { appId } = context;
    const command = { kind: 'SetBrand', brand: toBrand(brand) } as const;
    const result = await this.ledger.execute(appAggregate, appId, command, context);
    assertDefect(result.state.status === 'created', 'a command accepted by no app');
    return answer(renderBrand(result.state), result);
  }
}

/** As it is stored: fields in one order, and none that is not there. */
function toBrand({ name, ...body }: BrandDto): Brand {
  const { logoUrl, accentColor, supportUrl, supportEmail, termsUrl, privacyUrl } = body;
  return {
    name,
    ...(logoUrl !== undefined && { logoUrl }),
    ...(accentColor !== undefined && { accentColor }),
    ...(supportUrl !== undefined && { supportUrl }),
    ...(supportEmail !== undefined && { supportEmail }),
    ...(termsUrl !== undefined && { termsUrl }),
    ...(privacyUrl !== undefined && { privacyUrl }),
  };
}

/** How the game presents itself on pages for players. */
export class GetBrand extends queryWith<{ appId: string }, BrandDto>() {}

@QueryHandler(GetBrand)
export class GetBrandHandler implements IQueryHandler<GetBrand> {
  constructor(private readonly contexts: CommandContexts) {}

  async execute({ appId }: GetBrand): Promise<BrandDto> {
    return renderBrand(await this.contexts.requireApp(appId));
  }
}
