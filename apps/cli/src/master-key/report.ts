/** The result of a rotation. */
export interface Rotation {
  readonly presentKey: string;
  readonly formerKeys: readonly string[];
  /** Whether this run made the present key. */
  readonly isNew: boolean;
  readonly streams: number;
  readonly resealed: number;
  readonly unopenable: number;
  readonly unopenableStreams: readonly string[];
}

/** How far a rotation is. */
export interface SealStatus {
  /** The first one seals. */
  readonly keys: readonly { readonly id: string; readonly secrets: number }[];
  /** Secrets under keys that are not here. */
  readonly unknown: number;
  /** Secrets that are not under the present key. */
  readonly left: number;
  readonly isDone: boolean;
}

export function describeRotation(rotation: Rotation, file: string | undefined): string {
  const { presentKey, formerKeys, isNew, streams, resealed } = rotation;
  const lines = [
    `${resealed} secrets were sealed anew under the ${isNew ? 'new ' : ''}key ${presentKey}; ` +
      `${streams} streams have secrets.`,
  ];
  if (formerKeys.length > 0) {
    const how =
      file === undefined
        ? 'take the others out of MASTER_KEY'
        : 'subledger master-key rotate --drop-former';
    lines.push(`When no backup, token or program needs ${formerKeys.join(', ')} any more: ${how}.`);
  } else if (!isNew) {
    lines.push('There is one key only: to rotate it, put a new one before it in MASTER_KEY.');
  }
  return lines.join('\n');
}

export function describeStatus({ keys, unknown, left }: SealStatus): string {
  const lines = keys.map(
    ({ id, secrets }, index) =>
      `${id}  ${secrets} secrets${index === 0 ? ', the present key' : ''}`,
  );
  if (unknown > 0) lines.push(`${unknown} secrets are under keys that are not here`);
  lines.push(
    left === 0
      ? 'Every secret is under the present key.'
      : `${left} secrets are not under the present key: subledger master-key rotate.`,
  );
  return lines.join('\n');
}
