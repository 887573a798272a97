import { Module } from '@nestjs/common';
import { WEBSHOP_LINK_HANDLERS, WebshopLinksController } from './webshop-links.controller.js';

@Module({ controllers: [WebshopLinksController], providers: WEBSHOP_LINK_HANDLERS })
export class WebshopLinksModule {}
