import { IsTimestamp } from '#nest/dto';
import { Timestamp } from '#openapi';

export class AdvanceTestClockBody {
  /**
   * The instant to go to; the clock never goes back.
   * @example "2027-01-01T00:00:00Z"
   */
  @IsTimestamp()
  to!: string;
}

export class TestClockDto {
  @Timestamp()
  now!: string;
}
