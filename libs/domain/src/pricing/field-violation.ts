/** One bad field of a request, as google.rpc.BadRequest names it (decisions 4). */
export interface FieldViolation {
  /** The path of the field as it was sent: `priceIds`, `rates[2].rate`, `line 7`. */
  readonly field: string;
  readonly description: string;
}
