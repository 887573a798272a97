/** A word that this repository has given up, how to find it, and the word to write in its place. */
export interface OldWord {
  readonly old: string;
  /** Precise enough to leave ordinary English alone: "at rest", "an empty line", "to mark a day". */
  readonly pattern: RegExp;
  /** The only files in which the word means this; everywhere without it. */
  readonly files?: RegExp;
  readonly write: string;
}

/** One word for one thing, and it is the field's. Extended whenever a word is given up. */
export const OLD_WORDS: readonly OldWord[] = [
  {
    old: 'fact',
    pattern: /(?<!in )\b[Ff]acts?\b|(?<=[a-z])Facts?(?![a-z])|\bfacts?[A-Z_]|FACTS?\b/g,
    write: 'event, RecordedEvent, EVENT_TYPES',
  },
  {
    old: 'lane',
    pattern: /\b[Ll]anes?\b|(?<=[a-z])Lanes?(?![a-z])|\blanes?[A-Z_]|LANES?\b/g,
    write: 'partition',
  },
  {
    old: 'Lines, join, leave',
    pattern: /\b(?:class|new|type|interface) Lines\b|\blines\.(?:join|leave)\(\w+,|: Lines\b/g,
    write: 'SubjectQueue, enqueue, remove',
  },
  {
    old: 'Turns, REQUESTS_A_TURN',
    pattern: /\bTurns\b|A_TURN\b|\bturns\.(?:js|ts|spec)/g,
    write: 'RequestPacing, REQUESTS_PER_TICK',
  },
  {
    old: 'mark, MarkWriter, webhook_progress',
    pattern:
      /\bMarkWriter\w*|\b(?:class|type|interface) Mark\b|: Mark\b|(?<=[a-z])Marks\b|[Pp]rogress[-_]?[Mm]ark|webhook_progress|\bmarks?\.(?:js|ts)\b/g,
    write: 'checkpoint backup, CheckpointBackup, delivery_checkpoint.recorded',
  },
  { old: 'unsettled', pattern: /unsettled/gi, write: 'in flight' },
  {
    old: 'heard, workedOff, told',
    pattern: /\bworkedOff\b|\bworked off\b|\btold\(|\.told\b/g,
    write: 'ProgressNotifier, waitFor, processed, sent',
  },
  {
    old: 'react, reactTo, Reaction, Effects',
    pattern: /\breactTo\w*|\bReactions?\b|\bEffects\b|EFFECTS|(?<!side[- ])\beffects\b/g,
    write: 'process router, route, ProcessOutput, StepExecutor',
  },
  { old: 'Cause, causeOf', pattern: /\bcauseOf\b|\bCause\b/g, write: 'Causation, causationOf' },
  {
    old: 'rest (waiting)',
    pattern: /\brested?\(|\brested\b|\brest\.(?:ts|js|spec)\b|\bresting\b/g,
    write: 'sleepUnlessAborted',
  },
  {
    old: 'rest (money)',
    pattern: /EXCEEDS_REST\b|exceeds_rest\b|\brestMinor\b|\brestOf\b/g,
    write: 'remaining',
  },
  {
    old: 'side by side, Slots',
    pattern: /side-by-side|sideBySide|forEachBounded|\bSlots\b|\bslots\.(?:js|ts)\b/g,
    write: 'concurrency (p-map, p-limit), Semaphore',
  },
  {
    old: 'FoldedStreams',
    pattern: /FoldedStreams|foldedStreams|FOLDED_STREAMS/g,
    write: 'AggregateCache',
  },
  {
    old: 'FollowedStreams',
    pattern: /FollowedStreams|followedStreams|FOLLOWED_STREAMS/g,
    write: 'StatesAtRevision',
  },
  {
    old: 'CommandRun, RunCommand',
    pattern: /\bCommandRun\b|\b[Rr]unCommand\b|\brun-command\b/g,
    write: 'CommandExecution, or a command class for each use case',
  },
  {
    old: 'Envelope, keyed, plain',
    pattern: /\b[Ee]nvelopes?\b|(?<=[a-z])Envelope|\b(?:keyed|plain)\(/g,
    write: 'CommandContext, withIdempotency, withoutIdempotency',
  },
  {
    old: 'creation.reserved',
    pattern: /creation\.reserved|CreationReserved/g,
    write: 'idempotency_key.reserved',
  },
  {
    old: 'command.noted',
    pattern: /command\.noted|CommandNoted|command-notes|\bnoted command/g,
    write: 'command.recorded',
  },
  { old: 'flaw', pattern: /flaw/gi, write: 'rebuild reason (of a checkpoint), violation' },
  {
    old: 'buried, onDead',
    pattern: /\bbury\b|\bburied\b|\bonDead\b|\bburies\b/g,
    write: 'exhausted, onExhausted',
  },
  {
    old: 'renewal_abandoned',
    pattern: /renewal_abandoned|RenewalAbandoned/g,
    write: 'late_outcome_recorded',
  },
  { old: 'rehearse', pattern: /rehears/gi, write: 'dry run' },
  {
    old: 'libs/wire',
    pattern: /\blibs\/wire\b|#wire\b|embedded-event-store\/src\/wire\b|\.\.?\/wire\//g,
    write: 'libs/representations; inside the event store: protobuf/',
  },
  {
    old: 'questions, askLater',
    pattern: /\baskLater\b|[a-z]Questions\b/g,
    write: 'status polls, pollLater',
  },
  {
    old: 'step aside, isAside',
    pattern:
      /\bstep(?:s|ped|ping)? aside\b|\b(?:is|are|be|been) aside\b|\b(?:is|step)Aside\b|\bASIDE_/g,
    write: 'deferred, isDeferred',
  },
  {
    old: 'lag behind, Lag',
    pattern: /\blag(?:s|ged|ging)? behind\b|\blagging\b|\blag-(?=[a-z])|\bLag(?=[A-Z])|\bLAG_/g,
    files: /^(?!docs\/openapi\/|libs\/projection-engine\/)/,
    write: 'backlogged, Backlog',
  },
  {
    old: 'given back (to a queue)',
    pattern: /\bgivenBack\b|GivenBack|GIVEN_BACK/g,
    files: /^apps\/worker\//,
    write: 'requeued',
  },
  { old: 'withheld', pattern: /withh[eo]ld/gi, write: 'rate-limited' },
  {
    old: 'held (endpoint)',
    pattern: /\bheld endpoints?\b|\bendpoints? (?:is|are) held\b/g,
    write: 'paused',
  },
  {
    old: 'places (at a receiver or gateway)',
    pattern:
      /[a-z]Places\b|PLACES|\bplaces\.(?:js|ts|spec)|\b(?:free|their|shares of the) places\b|\bplaces (?:for|of an app)\b/g,
    files: /^apps\/worker\/|^docs\/rules\/fairness/,
    write: 'concurrency slots',
  },
  {
    old: 'window (of an endpoint)',
    pattern: /\bwindows?\b|\bWindow(?=[A-Z])|[a-z]Window\b|WINDOW/g,
    files: /^apps\/worker\/src\/delivery\/|^docs\/rules\/(?:webhooks|fairness)/,
    write: 'in-flight limit',
  },
  {
    old: 'look, fresh look',
    pattern:
      /\b[Ff]resh[- ]?[Ll]ooks?\b|LOOK_|\b(?:(?:first|next|last|one) look|two looks)\b(?! (?:at|for|into|like))/g,
    write: 'poll',
  },
  {
    old: 'patience',
    pattern: /\b[Pp]atience(?:\b|(?=[A-Z]))|PATIENCE/g,
    write: 'reconnect back-off, limits',
  },
  {
    old: 'whole, lines (of a backup)',
    pattern: /\b(?:a|each|the) whole(?! \w)|\bwholes\b|\b(?:change|backup) lines\b/g,
    files: /^apps\/worker\/src\/backup\/|^libs\/worker-state\/src\/backup/,
    write: 'snapshot, change log',
  },
  {
    old: 'riddles: whoever, nobody, somebody, is told',
    pattern: /\b(?:whoever|nobody|somebody|(?:is|are|was|were|been|be) told)\b/gi,
    write: 'a plain sentence: who does what, and why',
  },
];
