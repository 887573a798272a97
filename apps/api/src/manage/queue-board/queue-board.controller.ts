import { Controller, Get, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { answer } from '#nest';
import { Public } from '../../auth/allow.decorator.js';
import { BoardAddress, BoardGuard } from './board.guard.js';
import { QueueBoard } from './queue-board.js';

/**
 * The page loads its own files and asks us; it has styles in it, and asks a font server that it does without. No other
 * page shows it.
 */
const BOARD_SECURITY = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
    "font-src 'self'; connect-src 'self'; base-uri 'self'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
};

/** Where retries wait, for operators' browsers (rules/operators 15). It is open, since its guard asks for the token. */
@ApiExcludeController()
@Public()
@UseGuards(BoardGuard)
@Controller('manage/queues')
export class QueueBoardController {
  constructor(private readonly board: QueueBoard) {}

  /** The page, its files and its data: all paths below this one are the board's own. */
  @Get(['', '*'])
  async show(@BoardAddress() url: BoardAddress): Promise<Buffer> {
    const { status, contentType, body } = await this.board.get(url);
    return answer(body, { status, headers: { ...BOARD_SECURITY, 'content-type': contentType } });
  }
}
