import { applyDecorators, UseFilters, UseGuards, UseInterceptors } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyContextConfig } from 'fastify';
import { Refuses } from '#openapi';
import { ProgramQueryGuard } from '../../http/wants-json.js';
import { CsrfGuard } from '../http/csrf.guard.js';
import { ShopInterceptor } from '../http/shop.interceptor.js';
import { ShopErrorFilter } from './shop-error.filter.js';

/** The answers of a controller of the shop: models to programs, pages to browsers. */
export const AnswersInShop = (tag: string) =>
  applyDecorators(
    ApiTags(tag),
    UseGuards(ProgramQueryGuard),
    UseInterceptors(ShopInterceptor),
    UseFilters(ShopErrorFilter),
  );

/** A form of the session, or the same as JSON. @param reasons why it may be refused, beside a form of elsewhere. */
export const ChangesShop = (route: FastifyContextConfig, ...reasons: readonly string[]) =>
  applyDecorators(
    Refuses(...[...reasons, 'FORM_NOT_OF_SESSION'].toSorted()),
    UseGuards(CsrfGuard),
    RouteConfig(route),
  );
