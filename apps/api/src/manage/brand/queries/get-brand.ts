import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { CommandContexts } from '#nest';
import type { BrandDto } from '../brand.dto.js';
import { renderBrand } from '../render-brand.js';

/** How the game presents itself on pages for players. */
export class GetBrand extends Query<BrandDto> {
  constructor(readonly appId: string) {
    super();
  }
}

@QueryHandler(GetBrand)
export class GetBrandHandler implements IQueryHandler<GetBrand> {
  constructor(private readonly contexts: CommandContexts) {}

  async execute({ appId }: GetBrand): Promise<BrandDto> {
    return renderBrand(await this.contexts.requireApp(appId));
  }
}
