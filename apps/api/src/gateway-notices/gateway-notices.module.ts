import { Module } from '@nestjs/common';
import { GATEWAY_NOTICE_HANDLERS, GatewayNoticesController } from './gateway-notices.controller.js';

@Module({ controllers: [GatewayNoticesController], providers: GATEWAY_NOTICE_HANDLERS })
export class GatewayNoticesModule {}
