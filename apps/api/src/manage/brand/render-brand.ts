import type { CreatedApp } from '#domain/app';
import type { BrandDto } from './brand.dto.js';

/** The shown brand; of an app without a brand, its own name. */
export function renderBrand({ brand, name }: Pick<CreatedApp, 'brand' | 'name'>): BrandDto {
  return { ...(brand ?? { name }) };
}
