import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsInt, Max, Min } from 'class-validator';
import { IsLine, Omittable, OmittableOrNull } from '#nest/dto';
import { Default, OneOf, TimestampOrEmpty } from '#openapi';
import { REASON_LENGTH } from '#read-model-operations';
import { toInteger } from '../../http/page.dto.js';

const STATES = ['building', 'verified', 'held', 'answering', 'former', 'missing'] as const;

/** More than any ledger has events in a second. */
const MOST_PER_SECOND = 1_000_000;
/** More than any read model is built. */
const MOST_GENERATIONS = 1_000_000;
const RATE = `must be an integer from 1 to ${MOST_PER_SECOND}, or null`;
/** Documents that one request compares: it is over within seconds. */
const MOST_SAMPLED = 5_000;
const SAMPLE = `must be an integer from 1 to ${MOST_SAMPLED}`;

/** A generation of a read model (rules/read-models 1). */
export class GenerationDto {
  generation!: number;
  /** `missing`: Redis has nothing of it. */
  @OneOf(STATES)
  state!: string;
  /** A sentence that explains the state; "" where there is nothing to explain. */
  note!: string;
  /** In how many partitions it answers, is built, and is kept as the former one. */
  answeringIn!: number;
  buildingIn!: number;
  formerIn!: number;
  documents!: number;
  /** Of all of its lists. */
  entries!: number;
  /** An estimate of its memory in Redis. */
  bytes!: number;
  parkedStreams!: number;
  /** For how long the oldest event that it has not applied has been in the store; null where Redis has nothing of it. */
  oldestUnappliedSeconds!: number | null;
  /** Until then the former generation is kept and fed. */
  @TimestampOrEmpty()
  formerUntil!: string;
  /** Why the gate holds it. */
  findings!: string[];
  /** Of one that answers without the gate's word: `due` until it is verified, `differs` where it was found to; else "". */
  @OneOf(['', 'due', 'differs'])
  check!: string;
  /** It waits behind the gate for a swap that an operator asks for. */
  hold!: boolean;
  paused!: boolean;
  /** The most events in a second while it is built; null for no bound. */
  maxPerSecond!: number | null;
}

/** A read model: a projection in one version (rules/read-models 1). */
export class ReadModelDto {
  /** Projection, version and fingerprint, such as `subscriptions.14.3f09ab`. */
  name!: string;
  projection!: string;
  version!: number;
  ofThisRelease!: boolean;
  /** Whether a projector that knows it runs. */
  fed!: boolean;
  /** Until then a read model of another release is kept that is not fed. */
  @TimestampOrEmpty()
  keptUntil!: string;
  /** Whether this release can read all acts on it. */
  actsReadable!: boolean;
  generations!: GenerationDto[];
}

export class ReadModelListDto {
  /** For how long nothing was written to the event store; null while it is empty. */
  headAgeSeconds!: number | null;
  readModels!: ReadModelDto[];
}

/** How far a build is in one partition. */
export class PartitionBuildDto {
  partition!: number;
  /** Events that are applied. */
  done!: number;
  /** Events that the generation that answers there has applied; null where none does. */
  target!: number | null;
  /** How much of the store it has gone through. */
  percent!: number;
  parkedStreams!: number;
}

/** A read model with its build, if one is under way. */
export class ShownReadModelDto extends ReadModelDto {
  build!: PartitionBuildDto[];
}

export class ReasonBody {
  /** For those who look at the acts later. */
  @IsLine(1, REASON_LENGTH)
  reason!: string;
}

export class RebuildBody extends ReasonBody {
  /** Whether it waits behind the gate for a swap that is asked for. */
  @Default(false)
  @Omittable()
  @IsBoolean({ message: 'must be true or false' })
  hold: boolean = false;

  /** The most events in a second, over all partitions. */
  @ApiProperty({
    ...{ type: 'integer', nullable: true, required: false },
    maximum: MOST_PER_SECOND,
  })
  @OmittableOrNull()
  @IsInt({ message: RATE })
  @Min(1, { message: RATE })
  @Max(MOST_PER_SECOND, { message: RATE })
  maxPerSecond?: number | null;
}

export class SwapBody extends ReasonBody {
  /** Whether it may answer although the gate has not verified it. The event of the swap keeps it, for audits. */
  @Default(false)
  @Omittable()
  @IsBoolean({ message: 'must be true or false' })
  anyway: boolean = false;
}

export class DropBody extends ReasonBody {
  @IsInt({ message: 'must be the number of a generation' })
  @Min(1, { message: 'must be the number of a generation' })
  @Max(MOST_GENERATIONS, { message: 'must be the number of a generation' })
  generation!: number;
}

export class VerificationQuery {
  /** How many documents are drawn by chance and compared; all of them are compared by the command line alone. */
  @Default(1_000, { maximum: MOST_SAMPLED })
  @Omittable()
  @Transform(({ value }: { value: unknown }) => toInteger(value))
  @IsInt({ message: SAMPLE })
  @Min(1, { message: SAMPLE })
  @Max(MOST_SAMPLED, { message: SAMPLE })
  sample: number = 1_000;
}

/** A place at which a read model is not as the events make it. */
export class DifferenceDto {
  @OneOf(['document', 'list entry', 'missing', 'unexpected'])
  kind!: string;
  id!: string;
  partition!: number;
  /** The path of the field; "" for the whole. */
  field!: string;
  /** As JSON; "" where the events make nothing. */
  expected!: string;
  /** As JSON; "" where the read model has nothing. */
  found!: string;
}

export class VerificationDto {
  checked!: number;
  /** How many differences there are. */
  total!: number;
  /** The first of them. */
  differences!: DifferenceDto[];
  /** Documents that changed again and again meanwhile: nothing is said of them. */
  uncompared!: number;
  parkedStreams!: number;
}
